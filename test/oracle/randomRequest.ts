import type { CaseGroup, CaseRequest } from '../support/caseRequests.js';
import { aggregate, SHARING, type Forest, type ProviderRecord } from '../support/forest.js';
import type { Random } from './random.js';
import { combinations } from './naive.js';
import { AGGREGATES, CLASSES, TRAITS } from './randomForest.js';
import { ProviderRelations } from './providerRelations.js';

const SUFFIXES = ['_V', '_N', '1', 'x-2'];
const NOWHERE = aggregate('of nobody');
/** More combinations than this would make the naive engine slow. */
const MOST = 1500;

/**
 * Returns a valid request that mixes all features and mostly has an answer: each group has a
 * witness, a provider reachable from one chosen tree. Most constraints are drawn from the
 * properties of the witness.
 */
export function randomRequest(random: Random, forest: Forest): CaseRequest {
  const world = new ProviderRelations(forest);
  const anchor = random.pick(world.roots());
  const reachable = world.providers.filter(
    (provider) => world.root(provider) === anchor || world.sharesWith(provider, anchor),
  );
  const offering = reachable.filter((provider) => fittingClasses(world, provider).length > 0);
  const witness = (): ProviderRecord => random.pick(offering.length > 0 ? offering : reachable);
  const witnesses = new Map<string, ProviderRecord>();
  const groups: CaseGroup[] = [];
  if (random.chance(60)) groups.push(spreadGroup(random, world, witness, anchor));
  const granular = groups.length > 0 ? random.pick([0, 0, 1, 1, 2, 3, 4]) : random.pick([1, 2, 2, 3, 4]);
  for (const suffix of random.sample(SUFFIXES, granular)) {
    witnesses.set(suffix, witness());
    groups.push(granularGroup(random, world, suffix, witnesses.get(suffix)!));
  }
  const request: CaseRequest = { groups, groupPolicy: random.chance(30) ? 'isolate' : 'none' };
  addSubtrees(random, request, world, witnesses);
  if (request.groupPolicy === 'none' && random.chance(30))
    request.isolate = random.some(suffixesOf(request), 50);
  if (random.chance(8)) addBystander(random, request, random.pick(reachable));
  addRootConstraints(random, request, anchor);
  addTrees(random, request, forest, anchor);
  while (request.groups.length > 1 && combinations(forest, request) > MOST) dropGroup(request);
  return request;
}

function suffixesOf({ groups }: CaseRequest): string[] {
  return groups.map(({ suffix }) => suffix).filter(Boolean);
}

/** Returns the classes of which the provider has its min_unit or a step free now. */
function fittingClasses(world: ProviderRelations, provider: ProviderRecord): string[] {
  return Object.entries(provider.inventories)
    .filter(
      ([name, { min_unit, step_size }]) =>
        !world.isCounterClass(name) &&
        [min_unit, step_size].some((amount) => world.fits(provider, name, amount)),
    )
    .map(([name]) => name);
}

function spreadGroup(
  random: Random,
  world: ProviderRelations,
  witness: () => ProviderRecord,
  anchor: ProviderRecord,
): CaseGroup {
  const witnesses = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, witness);
  const group: CaseGroup = { suffix: '', resources: {} };
  for (const one of witnesses) Object.assign(group.resources!, amounts(random, world, one, 1));
  if (random.chance(40)) {
    splitSome(random, world, group, anchor);
    if (random.chance(60)) return group;
  }
  const able = random.pick(witnesses);
  const spanning = random.pick([
    anchor.aggregates,
    able.aggregates,
    [...anchor.aggregates, ...able.aggregates],
  ]);
  constrain(random, group, { ...able, aggregates: spanning });
  if (random.chance(15))
    group.memberOf = [spanning, AGGREGATES].map((from) => [random.pick(from.length ? from : AGGREGATES)]);
  return group;
}

/**
 * Lets one class be split, mostly one that several providers of the tree hold together but none
 * alone. Sometimes it adds other classes.
 */
function splitSome(random: Random, world: ProviderRelations, group: CaseGroup, anchor: ProviderRecord): void {
  const rooms = (resourceClass: string): number[] =>
    world
      .tree(anchor)
      .filter((provider) => random.chance(10) || !provider.traits.includes(SHARING))
      .map((provider) => Math.min(10, world.free(provider, resourceClass)))
      .filter((room) => room > 0);
  const wide = CLASSES.map((resourceClass) => ({ resourceClass, room: rooms(resourceClass) })).filter(
    ({ room }) => room.length > 1,
  );
  if (wide.length > 0) {
    const { resourceClass, room } = random.pick(wide);
    const some = random.sample(room, random.pick([2, 2, 2, 3]));
    const most = some.reduce((sum, room) => sum + room, 0);
    group.resources![resourceClass] = random.between(Math.min(most, Math.max(...some) + 1), most);
    group.canSplit = [resourceClass];
  }
  group.canSplit = [
    ...new Set([...(group.canSplit ?? []), ...random.some(Object.keys(group.resources!), 25)]),
  ];
}

function granularGroup(
  random: Random,
  world: ProviderRelations,
  suffix: string,
  witness: ProviderRecord,
): CaseGroup {
  const group: CaseGroup = { suffix, resources: amounts(random, world, witness, random.pick([1, 1, 1, 2])) };
  constrain(random, group, witness);
  return group;
}

/**
 * Returns amounts of some of the witness's classes, mostly small ones that fit it. Sometimes it
 * chooses any class.
 */
function amounts(
  random: Random,
  world: ProviderRelations,
  witness: ProviderRecord,
  count: number,
): Record<string, number> {
  const all = Object.keys(witness.inventories).filter((name) => !world.isCounterClass(name));
  const offered = random.chance(90) ? fittingClasses(world, witness) : all;
  const chosen =
    offered.length === 0 || random.chance(3) ? [random.pick(CLASSES)] : random.sample(offered, count);
  return Object.fromEntries(
    chosen.map((resourceClass) => {
      const { step_size: step = 1, min_unit: least = 1 } = witness.inventories[resourceClass] ?? {};
      const likely = [1, 1, least, step, step * 2, Math.ceil(least / step) * step, random.between(1, 9)];
      const fitting = likely.filter((amount) => world.fits(witness, resourceClass, amount));
      return [resourceClass, random.pick(fitting.length > 0 && random.chance(90) ? fitting : likely)];
    }),
  );
}

/** Adds constraints that the given provider meets, and some that it may not meet. */
function constrain(random: Random, group: CaseGroup, able: ProviderRecord): void {
  const foreignTraits = TRAITS.filter((trait) => !able.traits.includes(trait));
  const foreignAggregates = AGGREGATES.filter((one) => !able.aggregates.includes(one));
  if (random.chance(25)) group.required = anyOf(random, able.traits, TRAITS);
  if (random.chance(20)) group.forbidden = random.some(random.chance(85) ? foreignTraits : TRAITS, 50);
  if (random.chance(20)) group.memberOf = anyOf(random, able.aggregates, [...AGGREGATES, NOWHERE]);
  if (random.chance(15)) {
    group.forbiddenAggregates = random.some(
      [...(random.chance(85) ? foreignAggregates : AGGREGATES), NOWHERE],
      50,
    );
  }
  if (random.chance(12)) group.inTree = random.chance(5) ? 'nobody' : able.name;
  if (random.chance(5))
    group.inSubtree = random.chance(5) ? 'nobody' : random.pick([able.name, able.parent ?? able.name]);
  dropContradictions(group);
}

/**
 * Returns one or two OR-sets. Most sets have a member from `owned`, and some have others in
 * addition or instead.
 */
function anyOf(random: Random, owned: readonly string[], all: readonly string[]): string[][] {
  const sets = Array.from({ length: random.pick([1, 1, 1, 2]) }, () => [
    random.pick(owned.length > 0 && random.chance(90) ? owned : all),
    ...random.some(all, 15),
  ]);
  return sets.map((set) => [...new Set(set)]);
}

/** Removes required sets whose members are all forbidden, because they are not valid (rule 120). */
function dropContradictions(group: CaseGroup): void {
  group.required = group.required?.filter((set) => set.some((trait) => !group.forbidden?.includes(trait)));
}

/**
 * Adds up to two subtree conditions, some of which exclude other groups. Some get a resourceless
 * group for a provider above the others.
 */
function addSubtrees(
  random: Random,
  request: CaseRequest,
  world: ProviderRelations,
  witnesses: Map<string, ProviderRecord>,
): void {
  request.sameSubtree = [];
  if (witnesses.size === 0) return;
  const free = SUFFIXES.filter((suffix) => !witnesses.has(suffix));
  for (let conditions = random.pick([0, 0, 0, 1, 1, 2]); conditions > 0; conditions--) {
    const [lowest, provider] = random.pick([...witnesses]);
    const line = world.upwards(provider);
    const related = [...witnesses].filter(([, other]) => line.includes(other) || random.chance(10));
    const listed = new Set([lowest, ...random.some(related, 70).map(([suffix]) => suffix)]);
    const suffix = random.chance(60) ? free.pop() : undefined;
    if (suffix !== undefined) {
      const group: CaseGroup = { suffix };
      const above = random.pick(line);
      constrain(random, group, above);
      request.groups.push(group);
      listed.add(suffix);
    }
    const others = suffixesOf(request).filter((other) => !listed.has(other));
    const except = random.chance(40) ? random.some(others, 60).map((other) => `!${other}`) : [];
    request.sameSubtree.push([...listed, ...except]);
  }
}

/**
 * Adds a resourceless group that is alone in its condition. It only requires a reachable provider
 * (rule 115).
 */
function addBystander(random: Random, request: CaseRequest, witness: ProviderRecord): void {
  const group: CaseGroup = { suffix: 'by' };
  constrain(random, group, witness);
  request.groups.push(group);
  (request.sameSubtree ??= []).push([group.suffix]);
}

function addRootConstraints(random: Random, request: CaseRequest, anchor: ProviderRecord): void {
  const foreignTraits = TRAITS.filter((trait) => !anchor.traits.includes(trait));
  const foreignAggregates = AGGREGATES.filter((one) => !anchor.aggregates.includes(one));
  if (random.chance(12)) request.rootRequired = anyOf(random, anchor.traits, TRAITS);
  if (random.chance(10)) {
    request.rootForbidden = random.some(random.chance(85) ? foreignTraits : TRAITS, 50);
    request.rootRequired = (request.rootRequired ?? []).filter((set) =>
      [set].flat().some((trait) => !request.rootForbidden?.includes(trait)),
    );
  }
  if (random.chance(10)) request.rootMemberOf = anyOf(random, anchor.aggregates, [...AGGREGATES, NOWHERE]);
  if (random.chance(10)) {
    request.rootForbiddenAggregates = random.some([...foreignAggregates, NOWHERE], 50);
  }
}

/** Adds excluded trees, and consumers to be away from or near. Mostly the anchor stays allowed. */
function addTrees(random: Random, request: CaseRequest, forest: Forest, anchor: ProviderRecord): void {
  const world = new ProviderRelations(forest);
  const consumers = [...new Set(forest.allocations.map(({ consumer }) => consumer)), 'nobody'];
  const there = world.consumersIn(anchor);
  const others = consumers.filter((consumer) => !there.includes(consumer));
  if (random.chance(3)) {
    const outside = forest.providers.filter((provider) => world.root(provider) !== anchor);
    const from = outside.length > 0 && random.chance(95) ? outside : forest.providers;
    request.notInTrees = [...new Set([...random.some(from, 20), random.pick(from)])].map(({ name }) => name);
  }
  if (random.chance(3)) request.awayFromConsumers = random.some(random.chance(90) ? others : consumers, 50);
  if (random.chance(there.length > 0 ? 4 : 1)) {
    const near = random.pick(there.length > 0 ? there : consumers);
    request.nearConsumers = [...new Set([near, ...random.some(consumers, 20)])];
  }
}

/** Removes the last group, and all conditions that name it. */
function dropGroup(request: CaseRequest): void {
  const gone = request.groups.pop()?.suffix;
  Object.assign(request, withoutSuffix(request, gone));
}

/** Returns the conditions on several groups without one of the groups. */
export function withoutSuffix(
  { sameSubtree, isolate }: CaseRequest,
  gone: string | undefined,
): Pick<CaseRequest, 'sameSubtree' | 'isolate'> {
  return {
    isolate: isolate?.filter((suffix) => suffix !== gone),
    sameSubtree: sameSubtree
      ?.map((suffixes) => suffixes.filter((suffix) => suffix !== gone && suffix !== `!${gone}`))
      .filter((suffixes) => suffixes.some((suffix) => !suffix.startsWith('!'))),
  };
}
