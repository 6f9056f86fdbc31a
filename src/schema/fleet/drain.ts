import { treeIndexOf } from '../../engine/model/snapshot.js';
import { planDrain, type DrainMove, type DrainPlan } from '../../placement/drain.js';
import { explainCandidates } from '../../placement/explanation.js';
import { totalsOf } from '../../placement/totals.js';
import { COST_OF_PASS } from '../../placement/totals.js';
import { READERS } from '../access/rules.js';
import { builder } from '../builder.js';
import { AllocationCandidatesInput, requestOf } from '../candidates/candidateRequest.js';
import { ResourceAmount } from '../allocation/providerAllocation.js';
import { AllocationRequest } from '../candidates/candidates.js';
import { CandidateExplanationRef } from '../candidates/explanation.js';
import { SnapshotProvider } from '../candidates/snapshotProvider.js';
import { costOfList } from '../cost/fieldCost.js';
import { Consumer, ProviderRef, ResourceProvider } from '../refs.js';
import { FleetTotal } from './fleetTotals.js';

const DrainRequestInput = builder.inputType('DrainRequestInput', {
  description:
    'What a consumer that is to leave asks for, or all of a type. Exactly one of consumer and consumerType.',
  fields: (t) => ({
    consumer: t.field({
      type: 'UUID',
      description: 'The consumer; one that has nothing in the tree has no effect. Goes before a type.',
    }),
    consumerType: t.string({
      description:
        'The type of the consumers, as INSTANCE; one that no consumer in the tree has, has no effect.',
    }),
    request: t.field({
      type: AllocationCandidatesInput,
      required: true,
      description:
        'What each of them asks for. The tree that is drained takes no part in it, as if it were in notInTrees. Its ' +
        'awayFromConsumers and nearConsumers are where the plan has put them by then.',
    }),
  }),
});

const DrainMoveRef = builder.objectRef<DrainMove>('DrainMove').implement({
  description: 'Where one consumer would go.',
  fields: (t) => ({
    consumer: t.field({
      type: Consumer,
      description: 'The consumer, as it is now.',
      resolve: ({ consumer }, _args, { loaders }) => loaders.consumers.prime(consumer),
    }),
    requestIndex: t.int({
      nullable: true,
      description:
        'The position in `requests`, from 0, of the request that it was placed by; null: it was derived from what it has.',
      resolve: ({ requested }) => requested,
    }),
    derivedResources: t.field({
      type: [ResourceAmount],
      nullable: true,
      description:
        'What the derived request asks for, in one unsuffixed group: the sum by class of all that the consumer has, in this ' +
        'tree and elsewhere. Null where a request was given.',
      resolve: ({ requested, found }) => (requested === null ? found.request.groups[0].resources : null),
    }),
    allocationRequest: t.field({
      type: AllocationRequest,
      nullable: true,
      description: 'All that it would have then, in place of all that it has; null: it cannot go.',
      resolve: ({ found }) => found.candidates.map((candidate) => ({ ...candidate, found })).at(0) ?? null,
    }),
    explanation: t.field({
      type: CandidateExplanationRef,
      nullable: true,
      complexity: { field: 1000, multiplier: 1 },
      description:
        'Why it cannot go, once all have moved that can; null where it can. Worked out only when it is asked for: that visits ' +
        'every provider of the fleet.',
      resolve: ({ found: { candidates, snapshot, request } }, _args, { operation }) =>
        candidates.length > 0 ? null : explainCandidates(snapshot, request, operation),
    }),
  }),
});

const DrainPlanRef = builder.objectRef<DrainPlan>('DrainPlan').implement({
  description:
    'Where the consumers of a tree could go, all of it together: each move is one for which there is room after those before ' +
    'it. It is no reservation: nothing is held. It is made one consumer after another, so that another order might let more go.',
  fields: (t) => ({
    root: t.field({
      type: ResourceProvider,
      description: 'The root of the tree. Its id, uuid, name and generation cost no database read.',
      resolve: ({ root }) => new SnapshotProvider(root),
    }),
    complete: t.boolean({
      description: 'Whether every consumer can go.',
      resolve: ({ moves }) => moves.every(({ found }) => found.candidates.length > 0),
    }),
    moves: t.field({
      type: [DrainMoveRef],
      complexity: costOfList(20),
      description:
        'One for each consumer with anything in the tree, in the order in which they were placed: those that ask for the ' +
        'largest part of what is free anywhere first; those that cannot go last.',
      resolve: ({ moves }) => [...moves],
    }),
    totalsBefore: t.field({
      type: [FleetTotal],
      complexity: { field: COST_OF_PASS, multiplier: 10 },
      description: 'The whole fleet as it is, by resource class.',
      resolve: async ({ before }, _args, { operation }) =>
        (await totalsOf(before, null, operation)).map((total) => ({ ...total, grouping: null })),
    }),
    totalsAfter: t.field({
      type: [FleetTotal],
      complexity: { field: COST_OF_PASS, multiplier: 10 },
      description:
        'The fleet without the tree, by resource class, once all have moved that can: what is left to work with. What cannot ' +
        'go is not in it.',
      resolve: async ({ root, after }, _args, { operation }) =>
        (await totalsOf(after, treeIndexOf(root), operation)).map((total) => ({ ...total, grouping: null })),
    }),
  }),
});

builder.queryField('planDrain', (t) =>
  t.field({
    authScopes: READERS,
    type: DrainPlanRef,
    nullable: true,
    complexity: { field: 100, multiplier: 1 },
    description:
      'Plans where everything in a tree could go, so that it could be switched off: a dry run, nothing is claimed. Each consumer is ' +
      'placed as if it had let go of all that it has. What it asks for is given, by consumer or by consumer type; else it is ' +
      'derived from what it has: the amounts, by class, as one unsuffixed group. By that all else is lost that its own request ' +
      'may have asked for: required and forbidden traits, aggregates, which amounts have to come from one provider, from a provider of ' +
      'its own or from one subtree, and who it is to be near or away from. To carry it out, claim for each consumer with its ' +
      'consumerGeneration and with the tree in notInTrees. Null for an unknown uuid; a tree with more than 1000 consumers, and ' +
      'a request that is malformed or names what is unknown, are INVALID_INPUT.',
    args: {
      resourceProvider: t.arg({
        type: ProviderRef,
        required: true,
        description: 'Any provider of the tree to drain.',
      }),
      requests: t.arg({
        type: [DrainRequestInput],
        required: true,
        defaultValue: [],
        description:
          'What consumers ask for that are not to be placed by what they have. Each consumer and type once.',
      }),
    },
    resolve: (_root, { resourceProvider, requests }, context) => {
      const stated = requests.map(({ request, ...whom }) => ({
        ...whom,
        request: requestOf(request),
        seed: request.seed ?? null,
      }));
      return planDrain(context, resourceProvider, stated, context.operation);
    },
  }),
);
