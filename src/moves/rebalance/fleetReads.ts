import type { Connection } from 'mariadb';
import type { Database } from '../../store/database/database.js';
import { onConnection } from '../../store/database/onConnection.js';
import { countConsumers, readFleet, type FleetRows } from './fleetConsumers.js';
import type { Operation } from '../../model/operation/operation.js';
import { SharedJobs } from '../../model/operation/sharedJobs.js';

/** The ids of the roots of trees; null: all trees. */
export type Roots = readonly number[] | null;

/**
 * The reads of all consumers of many trees, for all operations of the process. The process has the rows of one read in
 * transit at a time, and operations that wait for the same trees share them.
 */
export class FleetReads {
  private readonly counts: SharedJobs<Roots, number>;
  private readonly rows: SharedJobs<Roots, FleetRows>;

  constructor(database: Pick<Database, 'pool' | 'identify' | 'kill'>) {
    const sharedJobs = <Result>(
      about: string,
      read: (connection: Connection, roots: Roots) => Promise<Result>,
    ): SharedJobs<Roots, Result> => {
      const run = (roots: Roots, operation: Operation): Promise<Result> =>
        operation.activity.statement(about, () =>
          operation.withConnection(() =>
            onConnection(database, (connection) => read(connection, roots), operation),
          ),
        );
      return new SharedJobs(run, areEqual);
    };
    this.counts = sharedJobs('COUNT consumers', countConsumers);
    this.rows = sharedJobs('SELECT consumers', readFleet);
  }

  /** Counts the consumers with an allocation in the trees. Stops above MAX_REBALANCED. */
  count(roots: Roots, operation: Operation): Promise<number> {
    return this.counts.result(roots, operation);
  }

  /** Reads the consumers that `count` counts. */
  consumers(roots: Roots, operation: Operation): Promise<FleetRows> {
    return this.rows.result(roots, operation);
  }
}

function areEqual(one: Roots, other: Roots): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((id, at) => id === other[at]);
}
