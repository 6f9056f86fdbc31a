import { kindSet, type KindSet } from '../../feed/kinds.js';
import type { ConsumerPlan } from '../allocation/consumerPlan.js';
import type { SupplyChange } from './supplyChange.js';
import { isMoved, isRenamed, type TreePlan } from './treePlan.js';

/** What a change of a tree changes of each provider, by its id; those of new ones are the numbers of the plan. */
export function changeKinds(
  { planned, deleted }: TreePlan,
  { inventoryChange, traitChange, aggregateChange }: SupplyChange,
  consumers: ConsumerPlan | null,
): ReadonlyMap<number, KindSet> {
  const kinds = new Map<number, KindSet>();
  const add = (ids: readonly number[], set: KindSet): void => {
    for (const id of ids) kinds.set(id, (kinds.get(id) ?? 0) | set);
  };
  const providersOf = (...rows: (readonly { readonly providerId: number }[])[]): number[] =>
    rows.flat().map(({ providerId }) => providerId);
  const idsThat = (is: typeof isMoved): number[] => planned.filter(is).map(({ row }) => row.id);
  add(
    deleted.map(({ id }) => id),
    kindSet('DELETED'),
  );
  add(idsThat(isMoved), kindSet('MOVED'));
  add(idsThat(isRenamed), kindSet('RENAMED'));
  add(providersOf(inventoryChange.removed, inventoryChange.written), kindSet('INVENTORY'));
  add(providersOf(traitChange.removed, traitChange.added), kindSet('TRAITS'));
  add(providersOf(aggregateChange.removed, aggregateChange.added), kindSet('AGGREGATES'));
  if (consumers) add(providersOf(consumers.change.removed, consumers.change.added), kindSet('USAGE'));
  return kinds;
}
