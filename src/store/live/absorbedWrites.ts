import type { FleetSnapshot } from '../../fleet/fleetSnapshot.js';
import { partTexts } from '../../fleet/providerColumns.js';
import type { ProviderData } from '../../fleet/snapshot.js';
import { groupBy } from '../../model/collections.js';
import { type Former, hasAny, type KindSet, kindSet } from '../../model/recordedChanges.js';
import type { FeedRow } from '../feed/position.js';
import type { Changes } from './changes.js';

/** Providers by id with their state before the change. Null: the snapshot did not have the provider. */
export type Absorbed = Map<number, Former<'rootId'> | null>;

/**
 * Returns the providers whose change since `before` the rows of the feed explain only in part. Another program has changed
 * them, too, and the snapshot has read both changes together, so that no comparison finds the other one.
 */
export function absorbedIn(
  before: FleetSnapshot,
  after: FleetSnapshot,
  { providers }: Pick<Changes, 'providers'>,
  rows: readonly FeedRow[],
): number[] {
  const about = rows.filter(({ kind, objectId }) => kind === 'PROVIDER' && providers.has(objectId));
  const recorded = groupBy(about, ({ objectId }) => objectId);
  return [...recorded].flatMap(([id, own]) => {
    const present = providers.get(id) ?? null;
    // a snapshot cannot show every state: a provider outside of any tree stays absent
    if (present !== null && after.providerOf(id) === undefined) return [];
    return isExplained(before.providerOf(id) ?? null, present, own) ? [] : [id];
  });
}

function isExplained(
  before: ProviderData | null,
  after: ProviderData | null,
  rows: readonly FeedRow[],
): boolean {
  if (!rows.some(({ generation }) => generation === (after?.generation ?? null))) return false;
  if (after === null) return true;
  const recorded = rows.reduce((kinds, { changes }) => kinds | (changes ?? 0), 0);
  return !hasAny(changesBetween(before, after), ~recorded);
}

const EMPTY = { inventories: [], traits: [], aggregates: [], consumption: [] };

function changesBetween(before: ProviderData | null, after: ProviderData): KindSet {
  const from = before ?? { ...after, ...EMPTY };
  const [old, present] = [partTexts(from), partTexts(after)];
  const isInPlace = from.parentId === after.parentId && from.rootId === after.rootId;
  return (
    (before === null ? kindSet('CREATED') : 0) |
    (from.name === after.name ? 0 : kindSet('RENAMED')) |
    (isInPlace ? 0 : kindSet('MOVED')) |
    (old.inventories === present.inventories ? 0 : kindSet('INVENTORY')) |
    (isUsageSame(from, after) ? 0 : kindSet('USAGE')) |
    (old.traits === present.traits ? 0 : kindSet('TRAITS')) |
    (old.aggregates === present.aggregates ? 0 : kindSet('AGGREGATES'))
  );
}

/** Compares the usage of the inventories that both have. */
function isUsageSame(from: ProviderData, after: ProviderData): boolean {
  const used = new Map(from.inventories.map((each) => [each.classId, each.used]));
  return after.inventories.every((each) => (used.get(each.classId) ?? each.used) === each.used);
}
