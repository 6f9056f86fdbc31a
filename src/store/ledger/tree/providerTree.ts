import { InvalidInput, checkConsumers } from '../../../model/input.js';
import { checkStorable } from '../allocation/ownerNames.js';
import { idsByName } from '../../sql/catalog.js';
import { checkConsumerGenerations, checkSpellings, readConsumerRecords } from '../allocation/consumerRows.js';
import { consumersChanged, providersNamed, readProviders } from '../allocation/consumerPlan.js';
import { checkCounters } from '../allocation/counters.js';
import { ProviderGenerationConflict, ReshapeNeeded } from '../../../model/rejections.js';
import { checkGeneration } from '../provider/providerRows.js';
import {
  type ApplyProviderTreeInput,
  type DesiredNode,
  checkNodes,
  nodesOf,
  pathOf,
  readStoredTrees,
  statedInTree,
} from './treeInput.js';
import {
  checkNames,
  checkDistinctNames,
  checkStorableNames,
  finalShape,
  planTree,
  type PlannedProvider,
  type TreePlan,
} from './treePlan.js';
import {
  type TreeSupply,
  type TreeChange,
  providersUpdated,
  readTreeSupply,
  writeTrees,
} from './writeTree.js';
import { checkConsumptionUnused, planConsumption } from '../inventory/consumption.js';
import { resolveConsumption } from '../inventory/statedConsumption.js';
import { classesOf } from '../inventory/inventoryRows.js';
import { checkFinalUse, planReshape, type WantedReshape } from '../reshape/reshape.js';
import { inTransaction, type Transaction, type Ledger } from '../transaction.js';
import { consumersUsing } from '../inventory/removedInUse.js';

/** The disposition of one provider that changes, or in a dry run would change. */
export interface ProviderTreeChange {
  readonly kind: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Null if a dry run would generate it. */
  readonly uuid: string | null;
  /** The new name, or the last name of a deleted provider. */
  readonly name: string;
}

export interface AppliedProviderTree {
  /** Null in a dry run of a new tree. */
  readonly rootUuid: string | null;
  /**
   * One change for each provider that is created, deleted, or differs in name, parent or supply.
   * Stated providers come in the order of the input, then deleted ones depth first by name.
   */
  readonly changes: ProviderTreeChange[];
  /** True if allocations were written, or would be without the dry run. */
  readonly reshaped: boolean;
}

/**
 * Brings a tree of providers to its desired state atomically: creates, renames, moves, changes and deletes providers,
 * and sets the allocations of the named consumers (update_provider_tree and update_from_provider_tree of the reshape
 * spec). {@link planTree} matches providers. Only the final state is validated, as by reshape. Generations are checked
 * only where something differs, so a repeated input succeeds and changes nothing.
 *
 * Rejections: OLDER_SERVER, INVALID_INPUT, NOT_FOUND (an unknown provider in allocations), DUPLICATE_NAME,
 * PROVIDER_GENERATION_CONFLICT, CONSUMER_GENERATION_CONFLICT, CONSUMPTION_IN_USE, RESHAPE_NEEDED (something in use is removed and no
 * allocations are given), RESHAPE_REFUSED (all violations), CONCURRENT_UPDATE. Bumps each changed provider and
 * consumer once (D5).
 */
export async function applyProviderTree(
  ledger: Ledger,
  input: ApplyProviderTreeInput,
): Promise<AppliedProviderTree> {
  const nodes = nodesOf(input.root);
  return inTransaction(ledger, async (tx) => {
    const change = await validateTree(tx, input, nodes);
    const isDry = input.dryRun === true;
    if (!isDry) await writeTrees(tx, change);
    return summaryOf(change, isDry);
  });
}

async function validateTree(
  tx: Transaction,
  { allocations = null }: ApplyProviderTreeInput,
  nodes: readonly DesiredNode[],
): Promise<TreeChange> {
  await checkStorableNames(tx, nodes);
  const trees = await readStoredTrees(tx, nodes);
  const traitNames = nodes.flatMap(({ desired }) => desired.traits ?? []);
  const traits = await idsByName(tx, 'traits', traitNames);
  const classNames = classesOf(nodes.flatMap(({ desired }) => desired.inventories ?? []));
  const records = await readConsumerRecords(tx, allocations ?? [], classNames);
  const { classes } = records.names;
  checkNodes(nodes, { classes, traits });
  await checkDistinctNames(tx, nodes);
  if (allocations) {
    checkConsumers(allocations, ['allocations'], classes);
    checkStorable(allocations, ['allocations'], records.names);
  }

  const plan = planTree(nodes, trees);
  checkUnmatchedGenerations(plan);
  const rows = [...trees.members, ...plan.planned.flatMap(({ stored, row }) => (stored ? [] : row))];
  const known = new Map(rows.map((row) => [row.uuid, row]));
  const { change: edits, ...stated } = await readTreeSupply(tx, plan.planned, { classes, traits });
  const shape = finalShape(plan);
  const request = {
    ...shape,
    stated: resolveConsumption(statedInTree(plan.planned), shape.members, classes),
    inventories: edits.inventories,
  };
  const reshaped =
    allocations &&
    (await planReshape(tx, request, allocations, {
      records,
      classNames,
      providers: await readProviders(tx, providersNamed(allocations), records, known),
    }));
  const consumers = reshaped && reshaped.plan;
  const planned = reshaped?.consumption ?? (await planConsumption(tx, request));
  await checkNames(tx, plan, trees.members);
  const supply = { ...stated, change: { ...edits, consumption: planned.change } };
  const updated = providersUpdated(plan.planned, supply.change);
  checkGenerations(plan, updated);
  if (allocations && consumers) {
    checkCounters(allocations, consumers, ['allocations']);
    const changed = consumersChanged(consumers).map((each) => each.input);
    checkSpellings(consumers.inputs, ['allocations'], consumers.stored);
    checkConsumerGenerations(changed, consumers.stored);
  }
  checkConsumptionUnused(planned);
  await checkFinalState(tx, plan, supply, reshaped);
  return { trees, plans: [plan], supply, updated, consumers };
}

/** Rejects a generation of an unmatched provider without a uuid: a conflict could not name it. */
export function checkUnmatchedGenerations({ planned }: Pick<TreePlan, 'planned'>): void {
  for (const { node, stored } of planned) {
    const { uuid, name, generation } = node.desired;
    if (stored || uuid != null || generation == null) continue;
    throw new InvalidInput(
      [...pathOf(node), 'generation'],
      `no resource provider of this tree is named "${name}", so none has the generation ${generation}`,
    );
  }
}

/** Rejects the first changed provider in input order that does not have the given generation. */
export function checkGenerations(
  { planned }: Pick<TreePlan, 'planned'>,
  updated: readonly PlannedProvider[],
): void {
  const differing = new Set(updated);
  for (const each of planned) {
    const expected = each.node.desired.generation;
    if (expected == null) continue;
    if (!each.stored) throw new ProviderGenerationConflict(each.row.uuid, expected, null);
    if (differing.has(each)) checkGeneration(each.row, expected);
  }
}

async function checkFinalState(
  tx: Transaction,
  plan: TreePlan,
  supply: TreeSupply,
  reshaped: Pick<WantedReshape, 'plan' | 'unnamed'> | null,
): Promise<void> {
  const removed = { providers: plan.deleted, inventories: supply.change.inventories.removed };
  if (reshaped === null) {
    const users = await consumersUsing(tx, removed, ReshapeNeeded.MAX_LISTED);
    if (users.length > 0) throw new ReshapeNeeded(users);
    return;
  }
  const stated = plan.planned.filter(({ node }) => node.desired.inventories != null);
  const providers = stated.map(({ row }) => row);
  const final = { providers, inventories: supply.inventories, unnamed: reshaped.unnamed };
  await checkFinalUse(tx, reshaped.plan, removed, final);
}

function summaryOf({ plans: [plan], updated, consumers }: TreeChange, isDry: boolean): AppliedProviderTree {
  const differing = new Set(updated);
  const stated = plan.planned.flatMap((each): ProviderTreeChange | [] => {
    const { uuid, name } = each.row;
    if (each.stored) return differing.has(each) ? { kind: 'UPDATE', uuid, name } : [];
    return { kind: 'CREATE', uuid: isDry ? (each.node.desired.uuid ?? null) : uuid, name };
  });
  const deleted = plan.deleted.map(({ uuid, name }): ProviderTreeChange => ({ kind: 'DELETE', uuid, name }));
  const [root] = plan.planned;
  return {
    rootUuid: isDry && !root.stored ? null : root.row.uuid,
    changes: [...stated, ...deleted],
    reshaped: consumers !== null && consumers.change.removed.length + consumers.change.added.length > 0,
  };
}
