import type { CaseGroup, CaseRequest } from '../support/caseRequests.js';
import type { Forest, InventoryRecord, ProviderRecord } from '../support/forest.js';
import {
  anchorPasses,
  combinationsUnder,
  isAway,
  isNear,
  LAWS,
  servesByItself,
  solutionsUnder,
  withoutExcluded,
} from './naive.js';
import { ProviderRelations } from './providerRelations.js';

/** A stage with the numbers that it removed and left. */
export type Stage = [constraint: string, eliminated: number, remaining: number];

export interface NaiveExplanation {
  satisfiableWhenEmpty: boolean;
  groups: { suffix: string; considered: number; stages: Stage[]; remaining: number }[];
  combination: Stage[];
}

const LARGEST = 2147483647;
const ENDLESS: InventoryRecord = {
  total: LARGEST,
  reserved: 0,
  min_unit: 1,
  max_unit: LARGEST,
  step_size: 1,
  allocation_ratio: 1,
};

/** The constraints on amounts. Each forest has one constraint more than the one before. */
const FORESTS: [string, (inventory: InventoryRecord) => InventoryRecord][] = [
  ['NO_INVENTORY', () => ENDLESS],
  ['INSUFFICIENT_CAPACITY', (one) => ({ ...one, min_unit: 1, max_unit: LARGEST, step_size: 1 })],
  ['MIN_UNIT', (one) => ({ ...one, max_unit: LARGEST, step_size: 1 })],
  ['MAX_UNIT', (one) => ({ ...one, step_size: 1 })],
  ['STEP_SIZE', (one) => one],
];

/** The conditions of a group besides amounts, in the order in which the explanation adds them. */
const CONDITIONS: [string, (keyof CaseGroup)[]][] = [
  ['REQUIRED_TRAITS', ['required']],
  ['FORBIDDEN_TRAITS', ['forbidden']],
  ['MEMBER_OF', ['memberOf']],
  ['FORBIDDEN_AGGREGATES', ['forbiddenAggregates']],
  ['IN_TREE', ['inTree']],
  ['IN_SUBTREE', ['inSubtree']],
];

/**
 * Returns the counts of an explanation by definition. It repeats the same search with one more
 * condition each time.
 */
export function naiveExplanation(whole: Forest, request: CaseRequest): NaiveExplanation {
  const forest = withoutExcluded(whole, request);
  const world = new ProviderRelations(forest);
  const excluded = whole.providers.filter(({ name }) => world.named(name) === undefined);
  const relaxed = FORESTS.map(([constraint, relax]) => relaxedWorld(forest, constraint, relax));
  const groups = request.groups.map((group) => explainGroup(relaxed, group, excluded));
  const fallen = world.roots().map((root) => obstacleOf(world, request, root));
  const empty = new ProviderRelations(withoutUse(forest));
  const unrelated = { ...request, awayFromConsumers: [], nearConsumers: [] };
  const out = excluded.filter(({ parent }) => parent === null).map(() => 'NOT_IN_TREES');
  return {
    satisfiableWhenEmpty: empty.roots().some((root) => obstacleOf(empty, unrelated, root) === null),
    groups,
    combination: stagesOf(fallen.length + out.length, [...out, ...fallen], COMBINATION),
  };
}

/** Returns the forest without usage. */
function withoutUse(forest: Forest): Forest {
  return { ...forest, allocations: forest.allocations.map((allocation) => ({ ...allocation, used: 0 })) };
}

const COMBINATION = [
  'NOT_IN_TREES',
  'AWAY_FROM_CONSUMERS',
  'NEAR_CONSUMERS',
  'EXCLUDED_ROOTS',
  'ROOT_TRAITS',
  'ROOT_AGGREGATES',
  'TREE_LACKS_GROUP',
  ...LAWS.map(([constraint]) => constraint),
];

function explainGroup(
  relaxed: readonly ProviderRelations[],
  group: CaseGroup,
  excluded: readonly ProviderRecord[],
): NaiveExplanation['groups'][number] {
  const [whole] = relaxed.slice(-1);
  const steps = [
    ...FORESTS.map(([constraint], at) => ({
      constraint,
      world: relaxed[at],
      group: { suffix: group.suffix, resources: group.resources, canSplit: group.canSplit },
    })),
    ...CONDITIONS.map(([constraint], at) => ({
      constraint,
      world: whole,
      group: {
        suffix: group.suffix,
        resources: group.resources,
        canSplit: group.canSplit,
        ...Object.fromEntries(
          CONDITIONS.slice(0, at + 1).flatMap(([, keys]) => keys.map((key) => [key, group[key]])),
        ),
      },
    })),
  ];
  const considered = group.suffix === '' ? whole.roots() : whole.providers;
  const fallen = considered.map(({ name }) => {
    const passes = ({ world, group: asked }: (typeof steps)[number]): boolean =>
      group.suffix === ''
        ? solutionsUnder(world, asked, world.named(name)!).length > 0
        : servesByItself(world, asked, world.named(name)!);
    return passes(steps[steps.length - 1]) ? null : steps.find((step) => !passes(step))!.constraint;
  });
  const out = excluded
    .filter(({ parent }) => group.suffix !== '' || parent === null)
    .map(() => 'NOT_IN_TREES');
  const stages = stagesOf(
    fallen.length + out.length,
    [...out, ...fallen],
    ['NOT_IN_TREES', ...steps.map(({ constraint }) => constraint)],
  );
  return {
    suffix: group.suffix,
    considered: fallen.length + out.length,
    stages,
    remaining: fallen.filter((one) => one === null).length,
  };
}

function relaxedWorld(
  forest: Forest,
  constraint: string,
  relax: (inventory: InventoryRecord) => InventoryRecord,
): ProviderRelations {
  const has = new Set(
    forest.providers.flatMap(({ uuid, inventories }) =>
      Object.keys(inventories).map((name) => `${uuid} ${name}`),
    ),
  );
  return new ProviderRelations({
    providers: forest.providers.map(({ consumes, ...provider }) => ({
      ...provider,
      // a counter that is missing is no missing inventory
      consumes:
        constraint !== 'NO_INVENTORY' || consumes === undefined
          ? consumes
          : Object.fromEntries(
              Object.entries(consumes).map(([name, counters]) => [
                name,
                counters.filter((each) => has.has(`${each.provider} ${each.resourceClass}`)),
              ]),
            ),
      inventories: Object.fromEntries(
        Object.entries(provider.inventories).map(([name, inventory]) => [name, relax(inventory)]),
      ),
    })),
    allocations: constraint === 'NO_INVENTORY' ? [] : forest.allocations,
  });
}

/** Returns the first constraint that leaves nothing under an anchor, or null for a candidate. */
function obstacleOf(world: ProviderRelations, request: CaseRequest, root: ProviderRecord): string | null {
  if (!isAway(world, root, request)) return 'AWAY_FROM_CONSUMERS';
  if (!isNear(world, root, request)) return 'NEAR_CONSUMERS';
  if (!anchorPasses(root, { excludedRootTraits: request.excludedRootTraits })) return 'EXCLUDED_ROOTS';
  if (!anchorPasses(root, { rootRequired: request.rootRequired, rootForbidden: request.rootForbidden }))
    return 'ROOT_TRAITS';
  if (!anchorPasses(root, request)) return 'ROOT_AGGREGATES';
  let left = combinationsUnder(world, request, root, []);
  if (left.length === 0) return 'TREE_LACKS_GROUP';
  for (const [constraint, isObeyed] of LAWS) {
    left = left.filter((combination) => isObeyed(combination, request, world));
    if (left.length === 0) return constraint;
  }
  return null;
}

/** Returns only the stages that removed something. The list of the others is not specified. */
function stagesOf(considered: number, fallen: (string | null)[], order: string[]): Stage[] {
  let left = considered;
  return order.flatMap((constraint): Stage[] => {
    const eliminated = fallen.filter((one) => one === constraint).length;
    left -= eliminated;
    return eliminated === 0 ? [] : [[constraint, eliminated, left]];
  });
}
