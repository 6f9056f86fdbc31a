import type { CaseGroup, CaseRequest } from '../support/caseRequests.js';
import type { Forest, InventoryRecord, ProviderRecord } from '../support/forest.js';
import { anchorPasses, combinationsUnder, servesByItself, solutionsUnder, type Obeyed } from './naive.js';
import { ProviderRelations } from './providerRelations.js';

/** A stage and what it removed and left. */
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

/** What an amount must respect, one constraint more in each forest than in the one before. */
const FORESTS: [string, (inventory: InventoryRecord) => InventoryRecord][] = [
  ['NO_INVENTORY', () => ENDLESS],
  ['INSUFFICIENT_CAPACITY', (one) => ({ ...one, min_unit: 1, max_unit: LARGEST, step_size: 1 })],
  ['MIN_UNIT', (one) => ({ ...one, max_unit: LARGEST, step_size: 1 })],
  ['MAX_UNIT', (one) => ({ ...one, step_size: 1 })],
  ['STEP_SIZE', (one) => one],
];

/** What a group asks besides amounts, one condition more in each than in the one before. */
const CONDITIONS: [string, (keyof CaseGroup)[]][] = [
  ['REQUIRED_TRAITS', ['required']],
  ['FORBIDDEN_TRAITS', ['forbidden']],
  ['MEMBER_OF', ['memberOf']],
  ['FORBIDDEN_AGGREGATES', ['forbiddenAggregates']],
  ['IN_TREE', ['inTree']],
  ['IN_SUBTREE', ['inSubtree']],
];

/** The counts of an explanation by definition: the same question again and again, with one condition more each time. */
export function naiveExplanation(forest: Forest, request: CaseRequest): NaiveExplanation {
  const world = new ProviderRelations(forest);
  const groups = request.groups.map((group) => explainGroup(forest, group));
  const trees = world.roots();
  const fallen = trees.map((root) => obstacleOf(world, request, root));
  return {
    satisfiableWhenEmpty: new ProviderRelations({ ...forest, allocations: [] })
      .roots()
      .some((root) => givesCandidate({ ...forest, allocations: [] }, request, root)),
    groups,
    combination: stagesOf(trees.length, fallen, COMBINATION),
  };
}

const COMBINATION = [
  'ROOT_TRAITS',
  'ROOT_AGGREGATES',
  'TREE_LACKS_GROUP',
  'GROUP_POLICY',
  'ISOLATE',
  'SAME_SUBTREE',
  'MERGED_AMOUNT',
];

function explainGroup(forest: Forest, group: CaseGroup): NaiveExplanation['groups'][number] {
  const steps = [
    ...FORESTS.map(([constraint, relax]) => ({
      constraint,
      world: relaxed(forest, constraint, relax),
      group: { suffix: group.suffix, resources: group.resources, canSplit: group.canSplit },
    })),
    ...CONDITIONS.map(([constraint], at) => ({
      constraint,
      world: new ProviderRelations(forest),
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
  const names = (world: ProviderRelations): ProviderRecord[] =>
    group.suffix === '' ? world.roots() : [...world.providers];
  const fallen = names(new ProviderRelations(forest)).map(({ name }) => {
    const passes = ({ world, group: asked }: (typeof steps)[number]): boolean =>
      group.suffix === ''
        ? solutionsUnder(world, asked, world.named(name)!).length > 0
        : servesByItself(world, asked, world.named(name)!);
    return passes(steps[steps.length - 1]) ? null : steps.find((step) => !passes(step))!.constraint;
  });
  const stages = stagesOf(
    fallen.length,
    fallen,
    steps.map(({ constraint }) => constraint),
  );
  return {
    suffix: group.suffix,
    considered: fallen.length,
    stages,
    remaining: fallen.filter((one) => one === null).length,
  };
}

function relaxed(
  forest: Forest,
  constraint: string,
  relax: (inventory: InventoryRecord) => InventoryRecord,
): ProviderRelations {
  return new ProviderRelations({
    providers: forest.providers.map((provider) => ({
      ...provider,
      inventories: Object.fromEntries(
        Object.entries(provider.inventories).map(([name, inventory]) => [name, relax(inventory)]),
      ),
    })),
    allocations: constraint === 'NO_INVENTORY' ? [] : forest.allocations,
  });
}

/** What first leaves nothing under an anchor; null when there is a candidate. */
function obstacleOf(world: ProviderRelations, request: CaseRequest, root: ProviderRecord): string | null {
  if (!anchorPasses(root, { rootRequired: request.rootRequired, rootForbidden: request.rootForbidden }))
    return 'ROOT_TRAITS';
  if (!anchorPasses(root, request)) return 'ROOT_AGGREGATES';
  if (request.groups.some((group) => solutionsUnder(world, group, root).length === 0))
    return 'TREE_LACKS_GROUP';
  const steps: [string, Obeyed[]][] = [
    ['GROUP_POLICY', ['groupPolicy']],
    ['ISOLATE', ['groupPolicy', 'isolate']],
    ['SAME_SUBTREE', ['groupPolicy', 'isolate', 'sameSubtree']],
    ['MERGED_AMOUNT', ['groupPolicy', 'isolate', 'sameSubtree', 'mergedAmounts']],
  ];
  const failed = steps.find(([, obeyed]) => combinationsUnder(world, request, root, obeyed).length === 0);
  return failed?.[0] ?? null;
}

function givesCandidate(forest: Forest, request: CaseRequest, root: ProviderRecord): boolean {
  return obstacleOf(new ProviderRelations(forest), request, root) === null;
}

/** Only the stages that removed something: which others are listed is a matter of taste. */
function stagesOf(considered: number, fallen: (string | null)[], order: string[]): Stage[] {
  let left = considered;
  return order.flatMap((constraint): Stage[] => {
    const eliminated = fallen.filter((one) => one === constraint).length;
    left -= eliminated;
    return eliminated === 0 ? [] : [[constraint, eliminated, left]];
  });
}
