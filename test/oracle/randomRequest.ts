import type { CaseGroup, CaseRequest } from '../support/caseRequests.js';
import { aggregate, SHARING, type Forest, type ProviderRecord } from '../support/forest.js';
import type { Dice } from './random.js';
import { combinations } from './naive.js';
import { AGGREGATES, CLASSES, TRAITS } from './randomForest.js';
import { World } from './providerRelations.js';

const SUFFIXES = ['_V', '_N', '1', 'x-2'];
const NOWHERE = aggregate('of nobody');
/** More combinations than this would make the naive engine slow. */
const MOST = 1500;

/**
 * A valid request with all features mixed, leaning towards one with an answer: each group has a witness, a
 * provider reachable from one chosen tree, and most constraints are drawn from what the witness offers.
 */
export function randomRequest(dice: Dice, forest: Forest): CaseRequest {
  const world = new World(forest);
  const anchor = dice.pick(world.roots());
  const reachable = world.providers.filter(
    (provider) => world.root(provider) === anchor || world.sharesWith(provider, anchor),
  );
  const offering = reachable.filter((provider) => fittingClasses(world, provider).length > 0);
  const witness = (): ProviderRecord => dice.pick(offering.length > 0 ? offering : reachable);
  const witnesses = new Map<string, ProviderRecord>();
  const groups: CaseGroup[] = [];
  if (dice.chance(60)) groups.push(spreadGroup(dice, world, witness, anchor));
  const granular = groups.length > 0 ? dice.pick([0, 0, 1, 1, 2, 3, 4]) : dice.pick([1, 2, 2, 3, 4]);
  for (const suffix of dice.sample(SUFFIXES, granular)) {
    witnesses.set(suffix, witness());
    groups.push(granularGroup(dice, world, suffix, witnesses.get(suffix)!));
  }
  const request: CaseRequest = { groups, groupPolicy: dice.chance(30) ? 'isolate' : 'none' };
  addSubtrees(dice, request, world, witnesses);
  if (request.groupPolicy === 'none' && dice.chance(30)) request.isolate = dice.some(suffixesOf(request), 50);
  if (dice.chance(8)) addBystander(dice, request, dice.pick(reachable));
  addRootConstraints(dice, request, anchor);
  while (request.groups.length > 1 && combinations(forest, request) > MOST) dropGroup(request);
  return request;
}

function suffixesOf({ groups }: CaseRequest): string[] {
  return groups.map(({ suffix }) => suffix).filter(Boolean);
}

/** The classes of which the provider could give its min_unit now, or a step. */
function fittingClasses(world: World, provider: ProviderRecord): string[] {
  return Object.entries(provider.inventories)
    .filter(([name, { min_unit, step_size }]) =>
      [min_unit, step_size].some((amount) => world.fits(provider, name, amount)),
    )
    .map(([name]) => name);
}

function spreadGroup(
  dice: Dice,
  world: World,
  witness: () => ProviderRecord,
  anchor: ProviderRecord,
): CaseGroup {
  const witnesses = Array.from({ length: dice.pick([1, 1, 2, 2, 3]) }, witness);
  const group: CaseGroup = { suffix: '', resources: {} };
  for (const one of witnesses) Object.assign(group.resources!, amounts(dice, world, one, 1));
  if (dice.chance(40)) {
    splitSome(dice, world, group, anchor);
    if (dice.chance(60)) return group;
  }
  const able = dice.pick(witnesses);
  const spanning = dice.pick([
    anchor.aggregates,
    able.aggregates,
    [...anchor.aggregates, ...able.aggregates],
  ]);
  constrain(dice, group, { ...able, aggregates: spanning });
  if (dice.chance(15))
    group.memberOf = [spanning, AGGREGATES].map((from) => [dice.pick(from.length ? from : AGGREGATES)]);
  return group;
}

/**
 * Lets one class be split, mostly one that several providers of the tree hold together where none could alone; now and then others
 * besides.
 */
function splitSome(dice: Dice, world: World, group: CaseGroup, anchor: ProviderRecord): void {
  const rooms = (resourceClass: string): number[] =>
    world
      .tree(anchor)
      .filter((provider) => dice.chance(10) || !provider.traits.includes(SHARING))
      .map((provider) => Math.min(10, world.free(provider, resourceClass)))
      .filter((room) => room > 0);
  const wide = CLASSES.map((resourceClass) => ({ resourceClass, room: rooms(resourceClass) })).filter(
    ({ room }) => room.length > 1,
  );
  if (wide.length > 0) {
    const { resourceClass, room } = dice.pick(wide);
    const some = dice.sample(room, dice.pick([2, 2, 2, 3]));
    const most = some.reduce((sum, room) => sum + room, 0);
    group.resources![resourceClass] = dice.between(Math.min(most, Math.max(...some) + 1), most);
    group.canSplit = [resourceClass];
  }
  group.canSplit = [...new Set([...(group.canSplit ?? []), ...dice.some(Object.keys(group.resources!), 25)])];
}

function granularGroup(dice: Dice, world: World, suffix: string, witness: ProviderRecord): CaseGroup {
  const group: CaseGroup = { suffix, resources: amounts(dice, world, witness, dice.pick([1, 1, 1, 2])) };
  constrain(dice, group, witness);
  return group;
}

/** Amounts of some of the witness's classes, mostly small ones that fit it; now and then of any class. */
function amounts(dice: Dice, world: World, witness: ProviderRecord, count: number): Record<string, number> {
  const offered = dice.chance(90) ? fittingClasses(world, witness) : Object.keys(witness.inventories);
  const chosen = offered.length === 0 || dice.chance(3) ? [dice.pick(CLASSES)] : dice.sample(offered, count);
  return Object.fromEntries(
    chosen.map((resourceClass) => {
      const { step_size: step = 1, min_unit: least = 1 } = witness.inventories[resourceClass] ?? {};
      const likely = [1, 1, least, step, step * 2, Math.ceil(least / step) * step, dice.between(1, 9)];
      const fitting = likely.filter((amount) => world.fits(witness, resourceClass, amount));
      return [resourceClass, dice.pick(fitting.length > 0 && dice.chance(90) ? fitting : likely)];
    }),
  );
}

/** Constraints that the given provider meets, and some that nobody promised. */
function constrain(dice: Dice, group: CaseGroup, able: ProviderRecord): void {
  const foreignTraits = TRAITS.filter((trait) => !able.traits.includes(trait));
  const foreignAggregates = AGGREGATES.filter((one) => !able.aggregates.includes(one));
  if (dice.chance(25)) group.required = anyOf(dice, able.traits, TRAITS);
  if (dice.chance(20)) group.forbidden = dice.some(dice.chance(85) ? foreignTraits : TRAITS, 50);
  if (dice.chance(20)) group.memberOf = anyOf(dice, able.aggregates, [...AGGREGATES, NOWHERE]);
  if (dice.chance(15)) {
    group.forbiddenAggregates = dice.some(
      [...(dice.chance(85) ? foreignAggregates : AGGREGATES), NOWHERE],
      50,
    );
  }
  if (dice.chance(12)) group.inTree = dice.chance(5) ? 'nobody' : able.name;
  if (dice.chance(5))
    group.inSubtree = dice.chance(5) ? 'nobody' : dice.pick([able.name, able.parent ?? able.name]);
  dropContradictions(group);
}

/** One or two OR-sets, each mostly with one member from `owned`, some with foreign ones besides or instead. */
function anyOf(dice: Dice, owned: readonly string[], all: readonly string[]): string[][] {
  const sets = Array.from({ length: dice.pick([1, 1, 1, 2]) }, () => [
    dice.pick(owned.length > 0 && dice.chance(90) ? owned : all),
    ...dice.some(all, 15),
  ]);
  return sets.map((set) => [...new Set(set)]);
}

/** A set of alternatives that is forbidden as a whole would not be valid (rule 120). */
function dropContradictions(group: CaseGroup): void {
  group.required = group.required?.filter((set) => set.some((trait) => !group.forbidden?.includes(trait)));
}

/**
 * Up to two subtree conditions, some of which keep other groups out. Some get a resourceless group that stands for a provider above
 * the others.
 */
function addSubtrees(
  dice: Dice,
  request: CaseRequest,
  world: World,
  witnesses: Map<string, ProviderRecord>,
): void {
  request.sameSubtree = [];
  if (witnesses.size === 0) return;
  const free = SUFFIXES.filter((suffix) => !witnesses.has(suffix));
  for (let conditions = dice.pick([0, 0, 0, 1, 1, 2]); conditions > 0; conditions--) {
    const [lowest, provider] = dice.pick([...witnesses]);
    const line = world.upwards(provider);
    const related = [...witnesses].filter(([, other]) => line.includes(other) || dice.chance(10));
    const listed = new Set([lowest, ...dice.some(related, 70).map(([suffix]) => suffix)]);
    const suffix = dice.chance(60) ? free.pop() : undefined;
    if (suffix !== undefined) {
      const group: CaseGroup = { suffix };
      const above = dice.pick(line);
      constrain(dice, group, above);
      request.groups.push(group);
      listed.add(suffix);
    }
    const others = suffixesOf(request).filter((other) => !listed.has(other));
    const except = dice.chance(40) ? dice.some(others, 60).map((other) => `!${other}`) : [];
    request.sameSubtree.push([...listed, ...except]);
  }
}

/** A resourceless group alone in its condition: it asks only that some reachable provider is there (rule 115). */
function addBystander(dice: Dice, request: CaseRequest, witness: ProviderRecord): void {
  const group: CaseGroup = { suffix: 'by' };
  constrain(dice, group, witness);
  request.groups.push(group);
  (request.sameSubtree ??= []).push([group.suffix]);
}

function addRootConstraints(dice: Dice, request: CaseRequest, anchor: ProviderRecord): void {
  const foreignTraits = TRAITS.filter((trait) => !anchor.traits.includes(trait));
  const foreignAggregates = AGGREGATES.filter((one) => !anchor.aggregates.includes(one));
  if (dice.chance(12)) request.rootRequired = anyOf(dice, anchor.traits, TRAITS);
  if (dice.chance(10)) {
    request.rootForbidden = dice.some(dice.chance(85) ? foreignTraits : TRAITS, 50);
    request.rootRequired = (request.rootRequired ?? []).filter((set) =>
      [set].flat().some((trait) => !request.rootForbidden?.includes(trait)),
    );
  }
  if (dice.chance(10)) request.rootMemberOf = anyOf(dice, anchor.aggregates, [...AGGREGATES, NOWHERE]);
  if (dice.chance(10)) {
    request.rootForbiddenAggregates = dice.some([...foreignAggregates, NOWHERE], 50);
  }
}

/** Takes the last group away, and what named it. */
function dropGroup(request: CaseRequest): void {
  const gone = request.groups.pop()?.suffix;
  Object.assign(request, withoutSuffix(request, gone));
}

/** What is left of the conditions on several groups when one group goes. */
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
