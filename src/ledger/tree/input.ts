import { InvalidInput } from '../../domain/invalidInput.js';
import { checkAggregates } from '../provider/aggregates.js';
import type { ConsumerAllocationsInput } from '../allocation/allocationInput.js';
import { checkInventories, type InventoryInput } from '../inventory/inventoryInput.js';
import { checkProviderName } from '../names.js';
import { checkTraits } from '../provider/traits.js';

/** A provider as it shall be, with everything below it. What is null or left out stays as it is; [] removes all. */
export interface DesiredProvider {
  /** Null: the provider of this name in the tree, or a new one with a uuid that is made up. */
  readonly uuid?: string | null;
  readonly name: string;
  /** Checked where anything of the provider differs. */
  readonly generation?: number | null;
  readonly inventories?: readonly InventoryInput[] | null;
  readonly traits?: readonly string[] | null;
  readonly aggregates?: readonly string[] | null;
  readonly children?: readonly DesiredProvider[] | null;
}

export interface ApplyProviderTreeInput {
  readonly root: DesiredProvider;
  /** Consumers as they shall be, each with its whole set of allocations. Null: allocations must stay as they are. */
  readonly allocations?: readonly ConsumerAllocationsInput[] | null;
  /** Judges everything and writes nothing. */
  readonly dryRun?: boolean | null;
}

/** One provider of the input and its place there; the root has no parent. */
export interface Wish {
  readonly desired: DesiredProvider;
  readonly parent: Wish | null;
  /** Its position among the children of its parent. */
  readonly position: number;
}

/** All providers of the input in its order: depth first, each before its children. Trees may be of any depth (rule 48). */
export function wishesOf(root: DesiredProvider): Wish[] {
  const wishes: Wish[] = [];
  const open: Wish[] = [{ desired: root, parent: null, position: 0 }];
  for (let wish = open.pop(); wish !== undefined; wish = open.pop()) {
    wishes.push(wish);
    const children = wish.desired.children ?? [];
    // the first child is to come off the stack first
    for (let position = children.length - 1; position >= 0; position--) {
      open.push({ desired: children[position], parent: wish, position });
    }
  }
  return wishes;
}

/** Where a provider stands in the input, for refusals: ["root", "children", "0"]. */
export function pathOf(wish: Wish): string[] {
  const path: string[] = [];
  for (let at = wish; at.parent !== null; at = at.parent) path.push(String(at.position), 'children');
  return [...path, 'root'].reverse();
}

/**
 * Refuses, first in input order, what is malformed, unknown or given twice, whatever is stored: a uuid and a name may each
 * be in the tree once; the rest is as for the single writes (decisions D7, D12).
 */
export function checkWishes(
  wishes: readonly Wish[],
  known: { readonly classes: ReadonlyMap<string, number>; readonly traits: ReadonlyMap<string, number> },
): void {
  const uuids = new Set<string>();
  const names = new Set<string>();
  for (const wish of wishes) {
    const { uuid, name, inventories, traits, aggregates } = wish.desired;
    within(wish, () => {
      if (uuid != null) refuseRepeated(uuids, uuid, 'uuid');
      checkProviderName(name);
      refuseRepeated(names, name, 'name');
      if (inventories) checkInventories(inventories, ['inventories'], known.classes);
      if (traits) checkTraits(traits, ['traits'], known.traits);
      if (aggregates) checkAggregates(aggregates, ['aggregates']);
    });
  }
}

function refuseRepeated(seen: Set<string>, value: string, field: 'uuid' | 'name'): void {
  if (seen.has(value)) throw new InvalidInput([field], `the ${field} ${value} is given twice in this tree`);
  seen.add(value);
}

/** Runs a check of one provider's fields; a refusal gets the whole path, which is made only then. */
function within(wish: Wish, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof InvalidInput)
      throw new InvalidInput([...pathOf(wish), ...error.path], error.message);
    throw error;
  }
}
