import { InvalidInput } from '../../domain/invalidInput.js';
import { checkConsumers } from '../allocation/allocationInput.js';
import { idsByName } from '../../database/catalogNames.js';
import { judgeConsumerGenerations } from '../allocation/consumerRows.js';
import { readConsumerRecords } from '../allocation/consumerRecords.js';
import { consumersChanged, readConsumerWrite, type ConsumerWrite } from '../allocation/consumerWrite.js';
import { ProviderGenerationConflict, ReshapeNeeded, ReshapeRefused } from '../errors.js';
import { judgeGeneration } from '../generations.js';
import { checkWishes, pathOf, wishesOf, type ApplyProviderTreeInput, type Wish } from './input.js';
import { judgeNames, refuseAlikeNames } from './names.js';
import { providersUpdated, readOfferChange, type OfferChange } from './supplyChange.js';
import { isNew, planTree, type PlannedProvider, type TreePlan } from './plan.js';
import { readStoredTrees } from './stored.js';
import { writeTree, type TreeChange } from './write.js';
import { finalViolations } from '../reshape/reshape.js';
import { inTransaction, type Transaction, type Ledger } from '../transaction.js';
import { consumersOn } from '../inventory/removedInUse.js';

/** What becomes, or in a dry run would become, of one provider. */
export interface ProviderTreeChange {
  readonly kind: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Null where a dry run would make one up. */
  readonly uuid: string | null;
  /** The new name, or the last one of a provider that is deleted. */
  readonly name: string;
}

export interface AppliedProviderTree {
  /** Null in a dry run of a new tree. */
  readonly rootUuid: string | null;
  /**
   * One for each provider that is created, differs in name, place or offer, or is deleted; one whose allocations alone
   * change has none. The first two kinds in the order of the input, then those deleted, depth first by name.
   */
  readonly changes: ProviderTreeChange[];
  /** Whether allocations were, or in a dry run would be, written. */
  readonly reshaped: boolean;
}

/**
 * Makes a tree of providers what it shall be, in one step of which nobody sees a part: creates, renames, moves, changes and
 * deletes what differs, and gives the consumers named their allocations (update_provider_tree and
 * update_from_provider_tree of the reshape spec). Providers are matched as {@link planTree} says. Only the final state is judged, as by reshape.
 * Generations, of providers and of consumers, are judged only where something differs, so that what is applied twice
 * succeeds and changes nothing the second time.
 *
 * Refusals: INVALID_INPUT, NOT_FOUND (a provider in allocations that is neither there nor created), DUPLICATE_NAME,
 * PROVIDER_GENERATION_CONFLICT, CONSUMER_GENERATION_CONFLICT; where something in use vanishes, RESHAPE_NEEDED if nothing is
 * said of allocations; RESHAPE_REFUSED with everything that is wrong at once; CONCURRENT_UPDATE. Bumps each provider that was
 * there and changes, or whose use changes, once (D5), and each consumer that changes.
 */
export async function applyProviderTree(
  ledger: Ledger,
  input: ApplyProviderTreeInput,
): Promise<AppliedProviderTree> {
  const wishes = wishesOf(input.root);
  return inTransaction(ledger, async (tx) => {
    const change = await judgeTree(tx, input, wishes);
    const isDry = input.dryRun === true;
    if (!isDry) await writeTree(tx, change);
    return summaryOf(change, isDry);
  });
}

async function judgeTree(
  tx: Transaction,
  { allocations = null }: ApplyProviderTreeInput,
  wishes: readonly Wish[],
): Promise<TreeChange> {
  const trees = await readStoredTrees(tx, wishes);
  const traits = await idsByName(
    tx,
    'traits',
    wishes.flatMap(({ desired }) => desired.traits ?? []),
  );
  const stated = wishes.flatMap(({ desired }) => desired.inventories ?? []);
  const records = await readConsumerRecords(
    tx,
    allocations ?? [],
    stated.map(({ resourceClass }) => resourceClass),
  );
  const { classes } = records.names;
  checkWishes(wishes, { classes, traits });
  await refuseAlikeNames(tx, wishes);
  if (allocations) checkConsumers(allocations, ['allocations'], classes);

  const plan = planTree(wishes, trees);
  refuseUnknownGenerations(plan);
  const rows = [...trees.members, ...plan.planned.filter(isNew).map(({ row }) => row)];
  const known = new Map(rows.map((row) => [row.uuid, row]));
  const consumers = allocations && (await readConsumerWrite(tx, allocations, records, { known }));
  await judgeNames(tx, plan, trees.members);
  const offer = await readOfferChange(tx, plan, { classes, traits });
  const updated = providersUpdated(plan, offer);
  judgeGenerations(plan, updated);
  if (consumers) {
    const changed = consumersChanged(consumers).map((each) => each.input);
    judgeConsumerGenerations(changed, consumers.stored);
  }
  await judgeFinalState(tx, plan, offer, consumers);
  return { trees, plan, offer, updated, consumers };
}

/** A provider that is found by its name alone, and is not there, has no uuid that a conflict of generations could name. */
function refuseUnknownGenerations({ planned }: TreePlan): void {
  for (const { wish, stored } of planned) {
    const { uuid, name, generation } = wish.desired;
    if (stored || uuid != null || generation == null) continue;
    throw new InvalidInput(
      [...pathOf(wish), 'generation'],
      `no resource provider of this tree is named "${name}", so none has the generation ${generation}`,
    );
  }
}

/** Refuses the first provider, in the order of the input, that differs and is not at the generation given. */
function judgeGenerations({ planned }: TreePlan, updated: readonly PlannedProvider[]): void {
  const differing = new Set(updated);
  for (const each of planned) {
    const expected = each.wish.desired.generation;
    if (expected == null) continue;
    if (isNew(each)) throw new ProviderGenerationConflict(each.row.uuid, expected, null);
    if (differing.has(each)) judgeGeneration(each.row, expected);
  }
}

async function judgeFinalState(
  tx: Transaction,
  plan: TreePlan,
  offer: OfferChange,
  consumers: ConsumerWrite | null,
): Promise<void> {
  const vanishing = { providers: plan.deleted, inventories: offer.inventoryChange.removed };
  if (consumers === null) {
    const users = await consumersOn(tx, vanishing);
    if (users.length > 0) throw new ReshapeNeeded(users);
    return;
  }
  const violations = await finalViolations(tx, consumers, vanishing, {
    providers: offer.stocked,
    inventories: offer.inventories,
  });
  if (violations.length > 0) throw new ReshapeRefused(violations);
}

function summaryOf({ plan, updated, consumers }: TreeChange, isDry: boolean): AppliedProviderTree {
  const differing = new Set(updated);
  const uuidOf = ({ wish, stored, row }: PlannedProvider): string | null =>
    isDry && !stored ? (wish.desired.uuid ?? null) : row.uuid;
  const stated = plan.planned.flatMap((each): ProviderTreeChange[] => {
    if (isNew(each)) return [{ kind: 'CREATE', uuid: uuidOf(each), name: each.row.name }];
    return differing.has(each) ? [{ kind: 'UPDATE', uuid: uuidOf(each), name: each.row.name }] : [];
  });
  const deleted = plan.deleted.map(({ uuid, name }): ProviderTreeChange => ({ kind: 'DELETE', uuid, name }));
  const [root] = plan.planned;
  return {
    rootUuid: isDry && isNew(root) ? null : root.row.uuid,
    changes: [...stated, ...deleted],
    reshaped: consumers !== null && consumers.change.removed.length + consumers.change.added.length > 0,
  };
}
