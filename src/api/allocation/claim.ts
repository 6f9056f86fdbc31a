import './claimErrors.js';
import { once } from '../../model/collections.js';
import { ensure } from '../../model/input.js';
import { textOfRequest } from '../../model/request.js';
import type { TopologyRule as EngineRule } from '../../moves/workload/workload.js';
import { type ClaimRequest, claim, type Claimed, type ClaimedWorkload } from '../../moves/claim/claim.js';
import { builder, meanings, objectType } from '../builder.js';
import { AllocationCandidatesInput, requestsIn } from '../candidates/candidateRequest.js';
import type { Context } from '../context.js';
import { optional, optionalList, required, withDefault } from '../inputFields.js';
import { AggregateRef, Consumer } from '../refs.js';
import { CONSUMER_UUID, CONSUMER_FIELDS } from './allocationsInput.js';
import { costOfEntries, COUNTED_ABOVE } from '../cost/operationCost.js';
import { checkExpiries, type StatedExpiry } from '../../store/ledger/allocation/holds.js';
import { AllocationRequest } from '../candidates/candidates.js';
import { idsOf, mutation } from '../mutation.js';
import { RulePlacement, rulesOf, TopologyRule } from './topologyFields.js';
import { chosenTopology, MemberPlacement, membersOf, OPTIMAL, placesOf, RULES } from './workloadFields.js';

export const ClaimPlacement = builder.enumType('ClaimPlacement', {
  description:
    'How the consumers of a claim may be placed relative to each other. Sharing providers do not count.',
  values: meanings({
    ANY: 'In any trees.',
    SAME_TREE: 'All in one tree.',
    DISTINCT_TREES: 'Each in another tree.',
  }),
});

const KeepOldAsInput = builder.inputType('KeepOldAsInput', {
  description:
    'A new consumer, of the same project and user, for the former allocations that the new ones do not use.',
  fields: () => ({
    consumer: required(
      'UUID',
      'The uuid of the new consumer. If it exists, fails with CONSUMER_GENERATION_CONFLICT.',
    ),
    type: optional('String', 'The type: 1 to 255 of A-Z, 0-9 and _. Null: none.'),
    expiresAt: optional('DateTime', 'The new consumer ends by itself at this time. Null: it does not.'),
  }),
});

const ClaimConsumerInput = builder.inputType('ClaimConsumerInput', {
  description: 'A consumer to claim for.',
  fields: () => ({
    consumer: CONSUMER_UUID,
    generation: optional(
      'Int',
      'The generation read before: the claim replaces all its allocations, which count as free (see `stay`). ' +
        'Null: it must not exist. Else fails with CONSUMER_GENERATION_CONFLICT.',
    ),
    ...CONSUMER_FIELDS,
    keepOldAs: optional(
      KeepOldAsInput,
      'Keeps the former allocations under a new consumer, as for a live migration. Amounts on a provider and class ' +
        'of both placements stay with this consumer and count once. Null releases them.',
    ),
    keepRequest: withDefault(
      'Boolean',
      false,
      'Whether the consumer keeps the request that is remembered for it, as for a move with further conditions. ' +
        'Defaults to false: the claim replaces it. A consumer of a named workload without one gets that of the claim.',
    ),
  }),
});

const ClaimMemberInput = builder.inputType('ClaimMemberInput', {
  description: 'Consumers that each receive a candidate of the same request.',
  fields: () => ({
    name: required('String', 'The name of the member: 1 to 64 of A-Z, a-z, 0-9, _ and -.'),
    consumers: required(
      [ClaimConsumerInput],
      'The consumers to claim for, at least one, each once; at most 1000 in all members.',
    ),
    requests: required(
      [AllocationCandidatesInput],
      'At most 8 alternatives, the preferred one first. All consumers of the member get the same one. The first ' +
        'seed of all requests counts; without one, concurrent claims choose differently.',
    ),
    placement: withDefault(
      ClaimPlacement,
      'ANY',
      'How the consumers may be placed relative to each other. Defaults to ANY.',
    ),
  }),
});

const TopologyLevelInput = builder.inputType('TopologyLevelInput', {
  description: 'The domains of a topology rule. Sharing providers are in no domain.',
  isOneOf: true,
  fields: () => ({
    tree: optional('Boolean', 'True: each tree is a domain. False fails with INVALID_INPUT.'),
    aggregates: optional(
      [AggregateRef],
      'Each aggregate is a domain: its providers and their descendants. At most 1024, each once. Unknown ones ' +
        'fail with INVALID_INPUT.',
    ),
    trait: optional(
      'String',
      'Each provider with the trait is a domain, with its descendants up to the next such provider: NUMA ' +
        'nodes, switches.',
    ),
  }),
});

const TopologyRuleInput = builder.inputType('TopologyRuleInput', {
  description: 'Where the consumers of some members may be placed relative to each other.',
  fields: () => ({
    level: required(TopologyLevelInput, 'The domains.'),
    members: required(
      ['String'],
      'The names of the members whose consumers the rule concerns, at least one, each once.',
    ),
    rule: required(TopologyRule, 'The rule.'),
    maxSkew: optional(
      'Int',
      'The largest difference between two domains, at least 1. Defaults to 1. For SPREAD only.',
    ),
    allowOutside: withDefault(
      'Boolean',
      false,
      'Whether its consumers may be outside of the domains; the rule then concerns those inside. By default, ' +
        'each must be in a domain.',
    ),
  }),
});

const TopologyAlternativeInput = builder.inputType('TopologyAlternativeInput', {
  description: 'One of several lists of topology rules.',
  fields: () => ({
    rules: required([TopologyRuleInput], 'The rules, with those of `topology` at most 64. All must hold.'),
  }),
});

const WorkloadNameInput = builder.inputType('WorkloadNameInput', {
  description: 'The name of a workload. All its consumers are of one project.',
  fields: () => ({
    name: required(
      'String',
      'The name: 1 to 255 characters without spaces at its ends, unique in the project.',
    ),
  }),
});

export const ClaimInput = builder.inputType('ClaimInput', {
  description: 'A workload: the resources to claim and the consumers to claim for.',
  fields: () => ({
    members: required(
      [ClaimMemberInput],
      'The members, 1 to 64. Preferred requests of earlier ones are more important.',
    ),
    topology: optionalList(
      TopologyRuleInput,
      'The rules, at most 64; all must hold. SAME and DIFFERENT for the same two consumers at one level ' +
        'contradict each other.',
    ),
    topologyAlternatives: optionalList(
      TopologyAlternativeInput,
      'At most 8 alternatives, the preferred one first, such as one rack, else one block. The first possible one must ' +
        'hold with `topology`. More important than preferred requests, less than few moves.',
    ),
    stay: withDefault(
      'Boolean',
      true,
      'Whether as few existing consumers as possible move, before preferred requests, PACK and `orderBy`. Members ' +
        'with placed consumers keep their request if they can. Defaults to true.',
    ),
    workload: optional(
      WorkloadNameInput,
      'Names the workload in the project of its consumers, so that its rules bind later moves; defaults to none. A ' +
        'claim with the name of an existing one adds members and consumers, and replaces its rules. The rules count ' +
        'only the consumers that the claim names: to count existing ones, name them with their generations.',
    ),
  }),
});

type Input = typeof ClaimInput.$inferInput;

/** Converts an input to a claim. @throws InvalidInput */
export function claimOf(
  { members, topology, topologyAlternatives, stay, workload }: Input,
  context: Pick<Context, 'excludedRootTraits'>,
): Omit<ClaimRequest, 'operation'> {
  const requestOf = requestsIn(context);
  const textOf = once(textOfRequest);
  const alternatives = topologyAlternatives.length === 0 ? [{ rules: [] }] : topologyAlternatives;
  const topologies = alternatives.map(({ rules }) => [...topology, ...rules]);
  return {
    members: members.map((member) => ({
      ...member,
      requests: member.requests.map(requestOf),
      texts: member.requests.map(textOf),
    })),
    topology: topology.map((rule, at) => ruleOf(rule, ['topology', String(at)])),
    topologyAlternatives: topologyAlternatives.map(({ rules }, alternative) =>
      rules.map((rule, at) =>
        ruleOf(rule, ['topologyAlternatives', String(alternative), 'rules', String(at)]),
      ),
    ),
    stay,
    named: workload == null ? null : { name: workload.name, topologies: topologies.map(textOfRules) },
    seed: members.flatMap(({ requests }) => requests.flatMap(({ seed }) => seed ?? [])).at(0) ?? null,
  };
}

function textOfRules(topology: Input['topology']): string | null {
  return textOfRequest({ topology });
}

function ruleOf(
  { level, members, rule, maxSkew, allowOutside }: Input['topology'][number],
  path: readonly string[],
): EngineRule {
  ensure(maxSkew == null || rule === 'SPREAD', [...path, 'maxSkew'], 'only SPREAD takes maxSkew');
  return { level: levelOf(level, [...path, 'level']), members, rule, maxSkew: maxSkew ?? 1, allowOutside };
}

function levelOf(
  { tree, aggregates, trait }: typeof TopologyLevelInput.$inferInput,
  path: readonly string[],
): EngineRule['level'] {
  if (aggregates != null) return { kind: 'AGGREGATES', aggregates };
  if (trait != null) return { kind: 'TRAIT', trait };
  ensure(tree === true, [...path, 'tree'], 'tree must be true');
  return { kind: 'TREE' };
}

/** Returns the cost of the size of a claim's requests and rules. */
export function costOfClaim({ members, topology, topologyAlternatives }: Input): number {
  return costOfEntries([members.map(({ requests }) => requests), topology, topologyAlternatives]);
}

/** @throws InvalidInput for an expiry that is too early or too late, OlderServer */
export async function checkExpiriesOf(input: Input, { database }: Context): Promise<void> {
  const expiries = expiriesIn(input);
  if (expiries.length > 0) await checkExpiries(database.pool, expiries);
}

function expiriesIn({ members }: Input): StatedExpiry[] {
  return members.flatMap(({ consumers }, member) =>
    consumers.flatMap((consumer, at) => {
      const path = ['members', String(member), 'consumers', String(at)];
      const kept = consumer.keepOldAs?.expiresAt;
      const own =
        consumer.expiresAt == null ? [] : [{ expiresAt: consumer.expiresAt, path: [...path, 'expiresAt'] }];
      return kept == null ? own : [...own, { expiresAt: kept, path: [...path, 'keepOldAs', 'expiresAt'] }];
    }),
  );
}

/** Returns the number of consumers of all members. */
export function consumersIn({ members }: Input): number {
  return members.reduce((sum, { consumers }) => sum + consumers.length, 0);
}

interface ClaimOfMember extends Claimed {
  readonly member: string;
  /** The position of the request that the candidate meets. */
  readonly requestIndex: number;
}

const Claim = objectType<ClaimOfMember>('Claim', {
  description: 'The claim of one consumer.',
  fields: (t) => ({
    member: t.exposeString('member', { description: 'The name of its member.' }),
    requestIndex: t.exposeInt('requestIndex', {
      description: 'The position of the claimed request in the member, from 0.',
    }),
    consumer: t.field({
      type: Consumer,
      description: 'The consumer after the claim.',
      resolve: ({ consumer }, _args, { loaders }) => loaders.consumers.prime(consumer),
    }),
    allocationRequest: t.field({
      type: AllocationRequest,
      description: 'The claimed candidate, as chosen. Its providers have the state after the claim.',
      resolve: ({ candidate }) => ({ ...candidate, isClaimed: true }),
    }),
    keptAs: t.field({
      type: Consumer,
      nullable: true,
      description:
        'The consumer that took over the former allocations; null without `keepOldAs`, or if the new ones use all of them.',
      resolve: ({ keptAs }, _args, { loaders }) => keptAs && loaders.consumers.prime(keptAs),
    }),
  }),
});

const ClaimPayload = objectType<ClaimedWorkload>('ClaimPayload', {
  description: 'The result of claim.',
  fields: (t) => ({
    claims: t.field({
      type: [Claim],
      complexity: COUNTED_ABOVE,
      description: 'The claim of each consumer, in the order of the input.',
      resolve: ({ placement, claims }) => {
        const places = placesOf(placement);
        return claims.map((each, at) => ({ ...places[at], ...each }));
      },
    }),
    members: t.field({
      type: [MemberPlacement],
      complexity: COUNTED_ABOVE,
      description: 'The chosen request of each member, in the order of the input.',
      resolve: ({ placement }) => membersOf(placement),
    }),
    topology: t.field({
      type: [RulePlacement],
      description: RULES,
      resolve: ({ placement }) => rulesOf(placement, true),
    }),
    ...chosenTopology(t),
    optimal: t.boolean({
      description: OPTIMAL,
      resolve: ({ placement }) => placement.isOptimal,
    }),
  }),
});

mutation('claim', {
  payload: ClaimPayload,
  description:
    'Places a workload and claims it atomically, for all consumers or none. After a write conflict, the server ' +
    'searches again. Fails with NO_CANDIDATES if the workload does not fit or the time does not suffice.',
  input: [ClaimInput, 'The resources to claim and the consumers to claim for.'],
  cost: (input) => 20 * consumersIn(input) + costOfClaim(input),
  listLength: consumersIn,
  errors: [
    'OLDER_SERVER',
    'INVALID_INPUT',
    'CONSUMER_GENERATION_CONFLICT',
    'QUOTA_EXCEEDED',
    'NO_CANDIDATES',
  ],
  resolve: async (input, context) => {
    await checkExpiriesOf(input, context);
    return claim(context, { ...claimOf(input, context), operation: context.operation });
  },
  written: ({ claims }) =>
    idsOf(
      Consumer,
      claims.flatMap(({ consumer, keptAs }) => (keptAs ? [consumer.uuid, keptAs.uuid] : [consumer.uuid])),
    ),
});
