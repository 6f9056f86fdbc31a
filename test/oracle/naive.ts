import { candidateKey, type Answer, type Candidate, type Summary } from '../support/answers.js';
import { affinity, type CaseGroup, type CaseRequest } from '../support/caseRequests.js';
import { SHARING, type Forest, type ProviderRecord } from '../support/forest.js';
import { capacity } from './capacity.js';
import { smallestSplits } from './splits.js';
import { meets, satisfies, ProviderRelations } from './providerRelations.js';

interface Take {
  provider: ProviderRecord;
  resourceClass: string;
  amount: number;
}

/** One way to serve one group under one anchor. A resourceless group has a provider and takes nothing. */
interface Solution {
  suffix: string;
  providers: ProviderRecord[];
  takes: Take[];
}

/**
 * The second engine: the reference algorithm (rules.md section 17). It combines the solutions of all groups at every
 * anchor in full, filters the combinations and removes duplicates. It never prunes, so that it is easy to verify.
 * The request must be valid (rules 113-125).
 */
export function naiveAnswer(forest: Forest, request: CaseRequest): Answer {
  const world = new ProviderRelations(withoutExcluded(forest, request));
  const candidates = anchors(world, request)
    .flatMap((anchor) => combinationsUnder(world, request, anchor))
    .map(merge)
    .filter((candidate) => !request.oneProviderPerTree || hasOneProviderPerTree(world, candidate));
  const distinct = [...new Map(candidates.map((candidate) => [candidateKey(candidate), candidate])).values()];
  return { candidates: distinct, summaries: summaries(forest, distinct) };
}

/** Returns whether no two providers of a candidate are in one tree. Counters do not count. */
function hasOneProviderPerTree(world: ProviderRelations, { allocations }: Candidate): boolean {
  const used = world.providers.filter((one) =>
    Object.keys(allocations[one.uuid] ?? {}).some((name) => !world.isCounter(one, name)),
  );
  const roots = used.map((provider) => world.root(provider));
  return new Set(roots).size === roots.length;
}

/** Returns the forest without the trees that `notInTrees` excludes. */
export function withoutExcluded(forest: Forest, { notInTrees = [] }: CaseRequest): Forest {
  if (notInTrees.length === 0) return forest;
  const world = new ProviderRelations(forest);
  const roots = notInTrees.flatMap((name) => world.named(name) ?? []).map((one) => world.root(one));
  const left = forest.providers.filter((provider) => !roots.includes(world.root(provider)));
  const names = new Set(left.map(({ name }) => name));
  return { providers: left, allocations: forest.allocations.filter(({ provider }) => names.has(provider)) };
}

/** The conditions on several groups together, in the order in which an explanation adds them. */
export const LAWS: readonly (readonly [
  constraint: string,
  isObeyed: (combination: Solution[], request: CaseRequest, world: ProviderRelations) => boolean,
])[] = [
  ['GROUP_POLICY', obeysGroupPolicy],
  ['ISOLATE', obeysIsolation],
  ['SAME_SUBTREE', obeysSubtrees],
  ['MERGED_AMOUNT', mergedAmountsFit],
  ['COUNTERS', (combination, _, world) => world.countersFit(merge(combination).allocations)],
];

/** Returns every combination under one anchor that obeys the given laws. */
export function combinationsUnder(
  world: ProviderRelations,
  request: CaseRequest,
  anchor: ProviderRecord,
  laws = LAWS,
): Solution[][] {
  return product(request.groups.map((group) => solutionsUnder(world, group, anchor))).filter((combination) =>
    laws.every(([, isObeyed]) => isObeyed(combination, request, world)),
  );
}

/**
 * Returns the maximum number of combinations that `naiveAnswer` examines. Generated cases limit it.
 */
export function combinations(forest: Forest, request: CaseRequest): number {
  const world = new ProviderRelations(withoutExcluded(forest, request));
  const perAnchor = anchors(world, request).map((anchor) =>
    request.groups
      .map((group) =>
        group.suffix === ''
          ? offers(world, group, anchor).reduce((all, ways) => all * ways.length, 1)
          : solutionsUnder(world, group, anchor).length,
      )
      .reduce((all, one) => all * one, 1),
  );
  return perAnchor.reduce((sum, one) => sum + one, 0);
}

/** Rules 160 and 161, decision D11: returns the roots that may be anchors of candidates. */
export function anchors(world: ProviderRelations, request: CaseRequest): ProviderRecord[] {
  return world
    .roots()
    .filter(
      (root) => anchorPasses(root, request) && isAway(world, root, request) && isNear(world, root, request),
    );
}

/** Returns whether none of `awayFromConsumers` uses a provider of the tree that is not sharing. */
export function isAway(
  world: ProviderRelations,
  root: ProviderRecord,
  { awayFromConsumers = [] }: CaseRequest,
): boolean {
  return !meets(awayFromConsumers, world.consumersIn(root));
}

/** Returns whether any of `nearConsumers` uses such a provider, or whether the list is empty. */
export function isNear(
  world: ProviderRelations,
  root: ProviderRecord,
  { nearConsumers = [] }: CaseRequest,
): boolean {
  return nearConsumers.length === 0 || meets(nearConsumers, world.consumersIn(root));
}

export function anchorPasses(root: ProviderRecord, request: Omit<CaseRequest, 'groups'>): boolean {
  const traits = (request.rootRequired ?? []).map((names) => [names].flat());
  return (
    satisfies(root.traits, traits) &&
    !meets(root.traits, [...(request.rootForbidden ?? []), ...(request.excludedRootTraits ?? [])]) &&
    satisfies(root.aggregates, request.rootMemberOf ?? []) &&
    !meets(root.aggregates, request.rootForbiddenAggregates ?? [])
  );
}

/** The ways to serve one group under one anchor. */
export function solutionsUnder(
  world: ProviderRelations,
  group: CaseGroup,
  anchor: ProviderRecord,
): Solution[] {
  return group.suffix === ''
    ? spreadSolutions(world, group, anchor)
    : granularSolutions(world, group, anchor);
}

/** Rules 129-136: one provider serves the whole group, by its own traits and aggregates only. */
export function servesByItself(
  world: ProviderRelations,
  group: CaseGroup,
  provider: ProviderRecord,
): boolean {
  const { traits } = provider;
  return (
    inTree(world, group, provider) &&
    inSubtree(world, group, provider) &&
    Object.entries(group.resources ?? {}).every(([name, amount]) => world.fits(provider, name, amount)) &&
    satisfies(traits, group.required ?? []) &&
    !meets(traits, group.forbidden ?? []) &&
    isMember(provider, group) &&
    !isExcluded(provider, group)
  );
}

function granularSolutions(world: ProviderRelations, group: CaseGroup, anchor: ProviderRecord): Solution[] {
  const amounts = Object.entries(group.resources ?? {});
  return world.providers
    .filter((provider) => world.root(provider) === anchor || world.sharesWith(provider, anchor))
    .filter((provider) => servesByItself(world, group, provider))
    .map((provider) => ({
      suffix: group.suffix,
      providers: [provider],
      takes: amounts.map(([resourceClass, amount]) => ({ provider, resourceClass, amount })),
    }));
}

/** Rules 137-141: one way for each class. All contributing providers meet the traits together. */
function spreadSolutions(world: ProviderRelations, group: CaseGroup, anchor: ProviderRecord): Solution[] {
  return product(offers(world, group, anchor))
    .map((ways) => ways.flat())
    .map((takes) => ({ suffix: '', takes, providers: [...new Set(takes.map(({ provider }) => provider))] }))
    .filter(({ providers }) => {
      const traits = providers.flatMap((provider) => provider.traits);
      return satisfies(traits, group.required ?? []) && !meets(traits, group.forbidden ?? []);
    });
}

/**
 * Rules 138 and 142-147: returns the ways to give each class of the unsuffixed group under this
 * anchor. One provider gives the whole amount of a class. If the class can be split, a sharing
 * provider gives the whole amount, or a smallest set of the tree's other providers gives it
 * together.
 */
export function offers(world: ProviderRelations, group: CaseGroup, anchor: ProviderRecord): Take[][][] {
  const sharing =
    group.inTree || group.inSubtree
      ? []
      : world.providers
          .filter((provider) => world.root(provider) !== anchor && world.sharesWith(provider, anchor))
          .filter((provider) => isMember(provider, group));
  const own = world
    .tree(anchor)
    .filter((provider) => inTree(world, group, provider) && inSubtree(world, group, provider))
    .filter((provider) => isMember(provider, group) || isMember(anchor, group));
  const reachable = [...own, ...sharing].filter(
    (provider) => !isExcluded(provider, group) && !isExcluded(anchor, group),
  );
  return Object.entries(group.resources ?? {}).map(([resourceClass, amount]) => {
    const whole = reachable
      .filter((provider) => world.fits(provider, resourceClass, amount))
      .map((provider) => [{ provider, resourceClass, amount }]);
    if (!group.canSplit?.includes(resourceClass)) return whole;
    const may = ({ traits }: ProviderRecord): boolean =>
      !traits.includes(SHARING) && !meets(traits, group.forbidden ?? []);
    const parties = own.filter((provider) => reachable.includes(provider) && may(provider));
    return [
      ...whole.filter(([{ provider }]) => provider.traits.includes(SHARING)),
      ...smallestSplits(world, parties, resourceClass, amount).map((parts) =>
        parts.map((part) => ({ ...part, resourceClass })),
      ),
    ];
  });
}

/** Rules 124, 131, 147: any provider selects its whole tree. An unknown one selects none. */
function inTree(world: ProviderRelations, group: CaseGroup, provider: ProviderRecord): boolean {
  if (!group.inTree) return true;
  const named = world.named(group.inTree);
  return named !== undefined && world.root(named) === world.root(provider);
}

/** Only the named provider and its descendants match. An unknown provider matches nothing. */
function inSubtree(world: ProviderRelations, group: CaseGroup, provider: ProviderRecord): boolean {
  if (!group.inSubtree) return true;
  const top = world.named(group.inSubtree);
  return top !== undefined && world.upwards(provider).includes(top);
}

/** Rule 143: the provider itself is a member, by the whole expression. */
function isMember(provider: ProviderRecord, group: CaseGroup): boolean {
  return satisfies(provider.aggregates, group.memberOf ?? []);
}

function isExcluded(provider: ProviderRecord, group: CaseGroup): boolean {
  return meets(provider.aggregates, group.forbiddenAggregates ?? []);
}

/** Rule 162: as many providers as suffixed groups; the unsuffixed group is exempt. */
function obeysGroupPolicy(combination: Solution[], request: CaseRequest): boolean {
  if (request.groupPolicy !== 'isolate') return true;
  const granular = combination.filter(({ suffix }) => suffix !== '');
  return new Set(granular.map(({ providers }) => providers[0])).size === granular.length;
}

/** The provider of an isolated group serves no other group, not even the unsuffixed one. */
function obeysIsolation(combination: Solution[], request: CaseRequest): boolean {
  return combination
    .filter(({ suffix }) => request.isolate?.includes(suffix))
    .every((alone) =>
      combination.every((other) => other === alone || !other.providers.includes(alone.providers[0])),
    );
}

/**
 * Rules 164-167: the provider of one of the listed groups is equal to or above each of them. It is
 * not equal to or above an excepted one.
 */
function obeysSubtrees(combination: Solution[], request: CaseRequest, world: ProviderRelations): boolean {
  return (request.sameSubtree ?? []).map(affinity).every(({ groups, except }) => {
    const [listed, excepted] = [groups, except].map((suffixes) =>
      combination.filter(({ suffix }) => suffixes.includes(suffix)).map((one) => one.providers[0]),
    );
    return listed.some(
      (top) =>
        listed.every((provider) => world.upwards(provider).includes(top)) &&
        !excepted.some((provider) => world.upwards(provider).includes(top)),
    );
  });
}

/** Rules 156, 159 and 171: sums the amounts of all groups, and maps each group to its providers. */
export function merge(combination: Solution[]): Candidate {
  const candidate: Candidate = { allocations: {}, mappings: {} };
  for (const { suffix, providers, takes } of combination) {
    candidate.mappings[suffix] = providers.map(({ uuid }) => uuid).sort();
    for (const { provider, resourceClass, amount } of takes) {
      const add = (uuid: string, name: string, more: number): void => {
        const amounts = (candidate.allocations[uuid] ??= {});
        amounts[name] = (amounts[name] ?? 0) + more;
      };
      add(provider.uuid, resourceClass, amount);
      for (const counter of provider.consumes?.[resourceClass] ?? [])
        add(counter.provider, counter.resourceClass, amount * counter.amount);
    }
  }
  return candidate;
}

/** Rule 157 with decision D1: the sums must be claimable, too. */
function mergedAmountsFit(combination: Solution[], _: CaseRequest, world: ProviderRelations): boolean {
  const { allocations } = merge(combination);
  return combination
    .flatMap(({ takes }) => takes)
    .every(({ provider, resourceClass }) =>
      world.fitsWithoutCounters(provider, resourceClass, allocations[provider.uuid][resourceClass]),
    );
}

/** Rules 177-180: returns every provider of every tree that the given candidates use. */
export function summaries(forest: Forest, candidates: Candidate[]): Record<string, Summary> {
  const world = new ProviderRelations(forest);
  const drawnOn = new Set(candidates.flatMap(({ allocations }) => Object.keys(allocations)));
  const roots = new Set(
    world.providers.filter(({ uuid }) => drawnOn.has(uuid)).map((one) => world.root(one)),
  );
  const entries = world.providers
    .filter((provider) => roots.has(world.root(provider)))
    .map((provider): [string, Summary] => [provider.uuid, summary(world, provider)]);
  return Object.fromEntries(entries);
}

function summary(world: ProviderRelations, provider: ProviderRecord): Summary {
  const resources = Object.entries(provider.inventories).map(([resourceClass, inventory]) => [
    resourceClass,
    { capacity: capacity(inventory), used: world.used(provider, resourceClass) },
  ]);
  return {
    resources: Object.fromEntries(resources) as Summary['resources'],
    traits: [...provider.traits].sort(),
    parent: world.upwards(provider)[1]?.uuid ?? null,
    root: world.root(provider).uuid,
  };
}

/** Returns every way to choose one item from each list. */
function product<T>(lists: T[][]): T[][] {
  return lists.reduce<T[][]>(
    (chosen, list) => chosen.flatMap((one) => list.map((next) => [...one, next])),
    [[]],
  );
}
