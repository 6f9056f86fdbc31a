import { ensure } from '../../model/invalidInput.js';
import type { TopologyRule as EngineRule } from '../../moves/workload/workload.js';
import type { ClaimRequest } from '../../moves/claim/claim.js';
import { builder, meanings } from '../builder.js';
import { AllocationCandidatesInput, requestsIn } from '../candidates/candidateRequest.js';
import type { Context } from '../context.js';
import { optional, optionalList, required, withDefault } from '../inputFields.js';
import { AggregateRef } from '../refs.js';
import { CONSUMER_UUID, CONSUMER_FIELDS } from './allocationsInput.js';
import { costOfEntries } from '../cost/fieldCost.js';

const ClaimPlacement = builder.enumType('ClaimPlacement', {
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
  }),
});

const ClaimConsumerInput = builder.inputType('ClaimConsumerInput', {
  description: 'A consumer to claim for.',
  fields: () => ({
    consumer: CONSUMER_UUID,
    generation: optional(
      'Int',
      'The generation read before: the claim replaces all its allocations, which count as free. Null: it must ' +
        'not exist. Else fails with CONSUMER_GENERATION_CONFLICT.',
    ),
    ...CONSUMER_FIELDS,
    keepOldAs: optional(
      KeepOldAsInput,
      'Keeps the former allocations under a new consumer, as for a live migration. Amounts on a provider and class ' +
        'of both placements stay with this consumer and count once. Null releases them.',
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

export const TopologyRule = builder.enumType('TopologyRule', {
  description: 'How a topology rule distributes its consumers over domains. Each must be in at least one.',
  values: meanings({
    SAME: 'All are in one domain.',
    DIFFERENT: 'No two are in one domain.',
    SPREAD:
      'The numbers of consumers in the domains differ by at most `maxSkew`. A domain does not count if it could ' +
      'not serve one consumer even if it were empty.',
    PACK: 'In the fewest possible domains. More important than `orderBy`.',
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
  }),
});

type Input = typeof ClaimInput.$inferInput;

/** Converts an input to a claim. @throws InvalidInput */
export function claimOf(
  { members, topology }: Input,
  context: Pick<Context, 'excludedRootTraits'>,
): Omit<ClaimRequest, 'operation'> {
  const requestOf = requestsIn(context);
  return {
    members: members.map((member) => ({ ...member, requests: member.requests.map(requestOf) })),
    topology: topology.map(ruleOf),
    seed: members.flatMap(({ requests }) => requests.flatMap(({ seed }) => seed ?? [])).at(0) ?? null,
  };
}

function ruleOf(
  { level, members, rule, maxSkew, allowOutside }: Input['topology'][number],
  position: number,
): EngineRule {
  const path = ['topology', String(position)];
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
export function costOfClaim({ members, topology }: Input): number {
  return costOfEntries([members.map(({ requests }) => requests), topology]);
}

/** Returns the number of consumers of all members. */
export function consumersIn({ members }: Input): number {
  return members.reduce((sum, { consumers }) => sum + consumers.length, 0);
}
