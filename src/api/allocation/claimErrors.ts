import { explainCandidates } from '../../search/explanation/explainRequest.js';
import { NoCandidates } from '../../moves/claim/noCandidates.js';
import type { Shortage } from '../../moves/workload/shortages.js';
import { builder, meanings, objectType } from '../builder.js';
import { CandidateExplanationRef } from '../candidates/explanation.js';
import { common } from '../errors.js';

export const WorkloadOutcome = builder.enumType('WorkloadOutcome', {
  description: 'The result of a search for a placement.',
  values: meanings({
    FOUND: 'The workload can be placed.',
    IMPOSSIBLE: 'Proven: the workload does not fit.',
    UNDECIDED: 'The search ended at its deadline without a placement or a proof.',
  }),
});

interface NamedShortage extends Shortage {
  readonly resourceClassName: string | null;
}

const WorkloadShortage = objectType<NamedShortage>('WorkloadShortage', {
  description: 'A shortage of a workload: a count of consumers, or of amounts of a resource class.',
  fields: (t) => ({
    resourceClassName: t.exposeString('resourceClassName', {
      nullable: true,
      description: 'The resource class. Null: the counts are of consumers.',
    }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      nullable: true,
      description: 'The free amount of one inventory that counts once. Null without a class.',
    }),
    requested: t.expose('requested', { type: 'SafeInt', description: 'The requested count.' }),
    available: t.expose('available', { type: 'SafeInt', description: 'The largest count that is possible.' }),
  }),
});

const MemberFitRef = objectType<ReturnType<typeof fitsOf>[number]>('MemberFit', {
  description: 'The part of a member that fits.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the member.' }),
    requested: t.exposeInt('requested', { description: 'The number of its consumers.' }),
    fit: t.exposeInt('fit', {
      description: 'Its consumers in the largest part of the workload that is known to fit.',
    }),
  }),
});

function shortageOf({ shortage, searched: { snapshot } }: NoCandidates): NamedShortage | null {
  if (shortage === null) return null;
  const { resourceClass } = shortage;
  return {
    ...shortage,
    resourceClassName: resourceClass === null ? null : snapshot.classes.nameOf(resourceClass),
  };
}

function fitsOf({ answer, searched: { workload } }: NoCandidates) {
  return workload.members.map(({ name, count }, at) => ({
    name,
    requested: count,
    fit: answer.kind === 'IMPOSSIBLE' ? answer.fit[at] : 0,
  }));
}

builder.objectType(NoCandidates, {
  ...common('NO_CANDIDATES', NoCandidates),
  fields: (t) => ({
    outcome: t.field({
      type: WorkloadOutcome,
      description: 'IMPOSSIBLE or UNDECIDED.',
      resolve: ({ answer }) => answer.kind,
    }),
    member: t.string({
      nullable: true,
      description: 'The name of the member that lacks something. Null if no single member is the reason.',
      resolve: ({ member, searched: { workload } }) =>
        member === null ? null : workload.members[member].name,
    }),
    topologyIndex: t.exposeInt('topologyIndex', {
      nullable: true,
      description:
        'The position of the failed rule in `topology`, or in the rules of `topologyAlternativeIndex`, from 0. Null ' +
        'if no rule is the reason.',
    }),
    topologyAlternativeIndex: t.exposeInt('topologyAlternativeIndex', {
      nullable: true,
      description:
        'The position of the entry of `topologyAlternatives` with the failed rule. Null for a rule of `topology`. ' +
        'If none is possible, the error describes the last one.',
    }),
    shortage: t.field({
      type: WorkloadShortage,
      nullable: true,
      description:
        'The missing resources. Null if only an exhaustive search proves that the workload does not fit.',
      resolve: shortageOf,
    }),
    members: t.field({
      type: [MemberFitRef],
      description: 'The part of each member that fits, in the order of the input.',
      resolve: fitsOf,
    }),
    fitIsLargest: t.boolean({
      description: 'True if it is proven that no larger part of the workload fits.',
      resolve: ({ answer }) => answer.kind === 'IMPOSSIBLE' && answer.isLargest,
    }),
    explanation: t.field({
      type: CandidateExplanationRef,
      nullable: true,
      complexity: { field: 1000, multiplier: 1 },
      description:
        'Why no more consumers of `member`, or of the only member, fit with its last request. Null without such ' +
        'a member. Visits every provider, if selected.',
      resolve: ({ member, searched: { snapshot, workload } }, _args, { operation }) => {
        const only = workload.members.length === 1 ? 0 : null;
        const request = workload.members[member ?? only ?? -1]?.requests.at(-1);
        return request === undefined ? null : explainCandidates(snapshot, request, operation);
      },
    }),
  }),
});
