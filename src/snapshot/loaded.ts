import type { Database } from '../database/database.js';
import { DatabaseChanges } from './changeSource.js';
import type { FeedPosition } from '../feed/position.js';
import type { FleetSnapshot } from './model/fleetSnapshot.js';

/** A consistent snapshot of the database, and the position of the change feed in it. */
export interface Loaded {
  readonly snapshot: FleetSnapshot;
  readonly position: FeedPosition;
}

/** After what was written since, and with the suspects as they are. */
export async function followed(
  database: Database,
  { snapshot: known, position }: Loaded,
  suspects: readonly number[],
): Promise<Loaded> {
  const source = new DatabaseChanges(database);
  const changes = await source.changesSince({ position, names: known.names }, new Set(suspects));
  const { snapshot, outdated } = known.with(changes.providers, changes.names).withUsage(changes.usage);
  const next = { snapshot, position: changes.position };
  return outdated.length === 0 ? next : followed(database, next, outdated);
}
