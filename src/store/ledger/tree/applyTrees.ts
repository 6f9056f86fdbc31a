import { groupBy } from '../../../model/collections.js';
import { checkOwnerName, InvalidInput } from '../../../model/input.js';
import type { ProviderFields } from '../../../model/provider.js';
import { NotFound, OwnedByAnother } from '../../../model/rejections.js';
import { read, statement, tables, list, type Statement } from '../../sql/statements.js';
import { idsWithNew } from '../catalog.js';
import { aggregateIds, storedAggregateIds } from '../provider/aggregates.js';
import { findNameHolders, findProviders, treeMembers } from '../provider/providerRows.js';
import { readStoredSupply, type SupplyIds } from '../provider/supply.js';
import { inTransaction, WriteConflict, type Ledger, type Transaction } from '../transaction.js';
import { checkConsumptionUnused, planConsumption, readConsumption } from '../inventory/consumption.js';
import { resolveConsumption } from '../inventory/statedConsumption.js';
import { classesOf } from '../inventory/inventoryRows.js';
import { OwnedPlan, TreeConsumption, type PartDifference } from './ownedPlan.js';
import { claimParts, Owners, releaseParts, UsedParts, type OwnedKind, type Ownership } from './ownership.js';
import { checkGenerations, checkUnmatchedGenerations } from './providerTree.js';
import { Removals } from './removals.js';
import {
  checkNodes,
  nodesOf,
  pathOf,
  statedInTree,
  type DesiredNode,
  type DesiredProvider,
} from './treeInput.js';
import {
  checkDistinctNames,
  checkNames,
  checkStorableNames,
  finalShape,
  NewIds,
  planTree,
  type PlannedProvider,
  type TreePlan,
} from './treePlan.js';
import { providersUpdated, writeTrees, type TreeChange } from './writeTree.js';
import { depthFirst } from '../provider/trees.js';

/** The maximum number of trees and of removed roots of one write. */
export const MAX_TREES = 500;

export interface ApplyProviderTreesInput {
  readonly owner: string;
  readonly trees: readonly DesiredProvider[];
  /** The uuids of roots to remove with their trees. Of a root of another owner, what the owner has in its tree. */
  readonly remove: readonly string[];
  /** Whether to write values that differ and have no owner. */
  readonly takeOver: boolean;
  /** Validates everything and writes nothing. */
  readonly dryRun: boolean;
}

/** A difference with the name of its part. */
export interface NamedDifference extends PartDifference {
  readonly name: string;
}

export interface AppliedTrees {
  readonly differences: readonly NamedDifference[];
  /** The uuids of the stored roots, in the order of the input. Null for a new root in a dry run. */
  readonly rootUuids: readonly (string | null)[];
  /** The numbers of parts that get or lose their owner. */
  readonly claimed: number;
  readonly released: number;
}

/**
 * Brings trees to the state that an owner states, atomically: writes only parts that the owner owns or that nobody has,
 * and owns them from then on. A part without an owner that equals the input is claimed; one that differs stays
 * unless `takeOver`. Owned parts that the input no longer states are removed unless they are in use, also those of
 * providers of other owners that the input does not state but could have: see {@link Removals}. An inventory in use whose
 * consumption differs stays as it is. A repeated input writes nothing. Creates missing custom traits and resource classes.
 *
 * Rejections: OLDER_SERVER, INVALID_INPUT, NOT_FOUND, DUPLICATE_NAME, PROVIDER_GENERATION_CONFLICT,
 * CONSUMPTION_IN_USE, OWNED_BY_ANOTHER, CONCURRENT_UPDATE.
 */
export async function applyProviderTrees(
  ledger: Ledger,
  input: ApplyProviderTreesInput,
): Promise<AppliedTrees> {
  checkOwnerName(input.owner);
  for (const field of ['trees', 'remove'] as const)
    if (input[field].length > MAX_TREES)
      throw new InvalidInput([field], `${field} has ${input[field].length} entries: at most ${MAX_TREES}`);
  const trees = input.trees.map((root, at) => nodesOf(root, ['trees', String(at)]));
  return inTransaction(ledger, async (tx) => {
    const { change, plan, ids } = await validateTrees(tx, input, trees);
    const named = await withNames(tx, plan.differences, ids);
    if (!input.dryRun) await write(tx, change, plan);
    return {
      differences: named,
      rootUuids: change.plans.flatMap(({ planned: [root] }) =>
        root === undefined ? [] : root.stored || !input.dryRun ? root.row.uuid : null,
      ),
      claimed: plan.claimed.length,
      released: plan.released.length,
    };
  });
}

interface ValidTrees {
  readonly change: TreeChange;
  readonly plan: OwnedPlan;
  readonly ids: SupplyIds;
}

async function validateTrees(
  tx: Transaction,
  { owner, remove, takeOver, dryRun }: ApplyProviderTreesInput,
  trees: readonly (readonly DesiredNode[])[],
): Promise<ValidTrees> {
  const nodes = trees.flat();
  await checkStorableNames(tx, nodes);
  const stored = await readTrees(tx, trees, remove);
  await tx.pause(nodes);
  const classNames = classesOf(nodes.flatMap(({ desired }) => desired.inventories ?? []));
  const traitNames = nodes.flatMap(({ desired }) => desired.traits ?? []);
  const known = {
    traits: await idsWithNew(tx, 'traits', traitNames, dryRun),
    classes: await idsWithNew(tx, 'resource_classes', classNames, dryRun),
  };
  checkNodes(nodes, known);
  await checkDistinctNames(tx, nodes);
  const uuids = [...new Set(nodes.flatMap(({ desired }) => desired.aggregates ?? []))];
  const ids = { ...known, aggregates: await aggregateIds(tx, uuids) };

  const newIds = new NewIds();
  const plans = trees.map((tree, at) => planTree(tree, stored.trees[at], newIds));
  const providerIds = stored.members.map(({ id }) => id);
  const owners = await Owners.read(tx, providerIds);
  const used = await UsedParts.read(tx, providerIds);
  const owned = new OwnedPlan(owner, owners, takeOver, dryRun);
  const nameOf = namesOf(stored.members, plans);
  const decided = plans.map((plan) => ({
    ...plan,
    planned: plan.planned.map((each) => owned.addProvider(each, nameOf)),
  }));
  const planned = decided.flatMap((plan) => plan.planned);
  checkUnmatchedGenerations({ planned });
  const shapes = decided.map(finalShape);
  const members = [...shapes.flatMap((shape) => shape.members), ...plans.flatMap(({ deleted }) => deleted)];
  const stated = resolveConsumption(statedInTree(planned), members, known.classes);
  const consumption = new TreeConsumption(await readConsumption(tx, providerIds), stated);
  const removals = new Removals(owner, owners, used, owned, planned);
  const edited = [
    ...planned,
    ...removals.strippedOf([...plans.flatMap(({ deleted }) => deleted), ...stored.removed.flat()]),
  ];
  await addSupplies(tx, edited, owned, { ids, used, consumption });
  if (owned.conflicts.length > 0) throw conflictOf(owner, owned);
  const final = decided.map((plan) => removals.apply(plan));
  for (const root of stored.removed) final.push(removals.apply({ planned: [], deleted: root, kept: [] }));
  decided.forEach(checkAcyclic);
  const consumed = await planConsumption(tx, {
    members,
    stated: owned.consuming,
    inventories: owned.supply.inventories,
    deleted: final.flatMap(({ deleted }) => deleted.map(({ id }) => id)),
    moved: shapes.flatMap(({ moved }) => moved),
  });
  owned.consumption = consumed.change;
  await checkNames(tx, { planned, deleted: final.flatMap(({ deleted }) => deleted) }, stored.members);
  const updated = providersUpdated(edited, owned.supply);
  checkGenerations({ planned }, updated);
  // the next attempt keeps such an inventory
  if (consumed.affected.some(({ providerId, classId }) => !used.has(providerId, classId)))
    throw new WriteConflict('an inventory whose consumption changes was allocated concurrently');
  checkConsumptionUnused(consumed);
  const change: TreeChange = {
    trees: { members: stored.members },
    plans: final,
    supply: { inventories: [], change: owned.supply, ids },
    updated,
    consumers: null,
  };
  return { change, plan: owned, ids };
}

async function write(tx: Transaction, change: TreeChange, plan: OwnedPlan): Promise<void> {
  const real = await writeTrees(tx, change);
  const created = [...change.supply.ids.aggregates].flatMap(([uuid, [id]]) =>
    id < 0 ? [[uuid, id] as const] : [],
  );
  const rows = await storedAggregateIds(
    tx,
    created.map(([uuid]) => uuid),
  );
  const aggregates = new Map(created.map(([uuid, id]) => [id, rows.get(uuid)?.[0]]));
  await releaseParts(tx, plan.released);
  const claimed = plan.claimed.map((row): Ownership => {
    const objectId = row.kind === 'AGGREGATE' ? (aggregates.get(row.objectId) ?? row.objectId) : row.objectId;
    return { ...row, providerId: real(row.providerId), objectId };
  });
  await claimParts(tx, claimed);
}

interface StoredFleet {
  /** The tree of each tree of the input. */
  readonly trees: readonly {
    readonly root: ProviderFields | undefined;
    readonly members: readonly ProviderFields[];
  }[];
  /** The members of each tree to remove, depth first. */
  readonly removed: readonly (readonly ProviderFields[])[];
  readonly members: readonly ProviderFields[];
}

/** Finds the trees of an input: each by the uuid of its root, or else by its name. */
async function readTrees(
  tx: Transaction,
  trees: readonly (readonly DesiredNode[])[],
  removed: readonly string[],
): Promise<StoredFleet> {
  const uuids = trees.flat().flatMap(({ desired }) => desired.uuid ?? []);
  const found = await findProviders(tx, [...new Set([...uuids, ...removed])]);
  const names = trees.flatMap(([{ desired }]) => (desired.uuid == null ? desired.name : []));
  const holders = new Map((await findNameHolders(tx, names)).map((row) => [row.name, row]));
  const roots = trees.map(([{ desired }], at) => {
    if (desired.uuid == null) {
      const holder = holders.get(desired.name);
      return holder?.parentId === null && !uuids.includes(holder.uuid) ? holder : undefined;
    }
    const root = found.get(desired.uuid);
    if (root === undefined || root.parentId === null) return root;
    throw new InvalidInput(['trees', String(at), 'uuid'], `resource provider ${desired.uuid} is no root`);
  });
  const leaving = removed.map((uuid, at) => {
    const root = found.get(uuid);
    if (root === undefined) throw new NotFound('RESOURCE_PROVIDER', uuid);
    if (root.parentId === null && !roots.some((each) => each?.id === root.id)) return root;
    const why = root.parentId === null ? 'is also in trees' : 'is no root';
    throw new InvalidInput(['remove', String(at)], `resource provider ${uuid} ${why}`);
  });
  trees.forEach((nodes, at) => {
    for (const node of nodes) {
      const row = found.get(node.desired.uuid ?? '');
      if (row === undefined || row.rootId === roots[at]?.id) continue;
      const message = `resource provider ${row.uuid} is in another tree: applyProviderTree moves it`;
      throw new InvalidInput([...pathOf(node), 'uuid'], message);
    }
  });
  const rootIds = [...roots, ...leaving].flatMap((root) => root?.id ?? []);
  const members = await treeMembers(tx, [...new Set(rootIds)]);
  const byRoot = groupBy(members, ({ rootId }) => rootId);
  const byId = new Map(members.map((row) => [row.id, row]));
  if (rootIds.some((id) => !byId.has(id))) throw new WriteConflict('a provider was deleted concurrently');
  return {
    members,
    trees: roots.map((root) => ({
      root: root && byId.get(root.id),
      members: (root && byRoot.get(root.id)) ?? [],
    })),
    removed: leaving.map(({ id }) => depthFirst([byId.get(id)!], byRoot.get(id)!)),
  };
}

function namesOf(
  members: readonly ProviderFields[],
  plans: readonly TreePlan[],
): (id: number | null) => string {
  const names = new Map(members.map(({ id, name }) => [id, name]));
  for (const { row, stored } of plans.flatMap(({ planned }) => planned))
    if (!stored) names.set(row.id, row.name);
  return (id) => (id === null ? '' : (names.get(id) ?? String(id)));
}

async function addSupplies(
  tx: Transaction,
  planned: readonly PlannedProvider[],
  owned: OwnedPlan,
  {
    ids,
    used,
    consumption,
  }: { readonly ids: SupplyIds; readonly used: UsedParts; readonly consumption: TreeConsumption },
): Promise<void> {
  const edited = planned.map(({ node: { desired }, row: { id } }) => ({
    id,
    inventories: desired.inventories && { set: desired.inventories },
    traits: desired.traits && { set: desired.traits },
    aggregates: desired.aggregates && { set: desired.aggregates },
  }));
  const stored = await readStoredSupply(tx, edited);
  const byProvider = {
    inventories: groupBy(stored.inventories, ({ providerId }) => providerId),
    traits: groupBy(stored.traits, ({ providerId }) => providerId),
    aggregates: groupBy(stored.aggregates, ({ providerId }) => providerId),
  };
  for (const each of planned) {
    const { id } = each.row;
    const supply = {
      consumption,
      inventories: byProvider.inventories.get(id) ?? [],
      traits: byProvider.traits.get(id) ?? [],
      aggregates: byProvider.aggregates.get(id) ?? [],
    };
    owned.addSupply(each, supply, ids, used);
  }
}

function conflictOf(owner: string, { conflicts }: OwnedPlan): OwnedByAnother {
  const [first] = conflicts;
  return Object.assign(new OwnedByAnother(owner, first, conflicts.length), { path: first.path });
}

/** Rejects a provider that moves below itself, because one of its ancestors stays where it is. */
function checkAcyclic({ planned, kept }: TreePlan): void {
  const parents = new Map([...planned.map(({ row }) => row), ...kept].map((row) => [row.id, row.parentId]));
  const safe = new Set<number>();
  for (const { node, row } of planned) {
    const path = new Set<number>();
    for (let id: number | null = row.id; id !== null && !safe.has(id); id = parents.get(id) ?? null) {
      if (path.has(id)) {
        const message = `"${row.name}" would be below itself: a provider without an owner keeps its parent`;
        throw new InvalidInput([...pathOf(node), 'name'], message);
      }
      path.add(id);
    }
    for (const id of path) safe.add(id);
  }
}

const NAMES: Readonly<
  Record<Exclude<OwnedKind, 'PROVIDER'>, Statement<{ id: number; name: string | null }>>
> = {
  INVENTORY: statement(
    tables.selectFrom('resource_classes').select(['id', 'name']).where('id', 'in', list<number>()),
  ),
  TRAIT: statement(tables.selectFrom('traits').select(['id', 'name']).where('id', 'in', list<number>())),
  AGGREGATE: statement(
    tables
      .selectFrom('placement_aggregates')
      .select(['id', 'uuid as name'])
      .where('id', 'in', list<number>()),
  ),
};

/** Adds the names of resource classes and traits, and the uuids of aggregates. */
async function withNames(
  tx: Transaction,
  differences: readonly PartDifference[],
  { classes, traits, aggregates }: SupplyIds,
): Promise<NamedDifference[]> {
  const names = {
    PROVIDER: new Map<number, string>(),
    INVENTORY: new Map(Array.from(classes, ([name, id]) => [id, name])),
    TRAIT: new Map(Array.from(traits, ([name, id]) => [id, name])),
    AGGREGATE: new Map([...aggregates].flatMap(([uuid, ids]) => ids.map((id) => [id, uuid] as const))),
  };
  for (const [kind, query] of Object.entries(NAMES) as [keyof typeof NAMES, (typeof NAMES)['TRAIT']][]) {
    const missing = new Set(
      differences.flatMap((each) =>
        each.kind === kind && !names[kind].has(each.objectId) ? each.objectId : [],
      ),
    );
    if (missing.size === 0) continue;
    for (const { id, name } of await read(tx, query, [[...missing]])) names[kind].set(id, name ?? String(id));
  }
  return differences.map((each) => ({
    ...each,
    name:
      each.kind === 'PROVIDER'
        ? each.provider
        : (names[each.kind].get(each.objectId) ?? String(each.objectId)),
  }));
}
