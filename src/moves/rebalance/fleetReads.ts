import type { Connection } from 'mariadb';
import type { Database } from '../../store/database/database.js';
import { onConnection } from '../../store/database/onConnection.js';
import { countConsumers, readFleet, type ConsumerSelection, type FleetRows } from './fleetConsumers.js';
import type { Operation } from '../../model/operation/operation.js';
import { SharedJobs } from '../../model/operation/sharedJobs.js';

/**
 * The reads of many consumers with their allocations, for all operations of the process. The process has the rows of one
 * read in transit at a time, and operations that wait for the same selection share them.
 */
export class FleetReads {
  private readonly counts: SharedJobs<ConsumerSelection, number>;
  private readonly rows: SharedJobs<ConsumerSelection, FleetRows>;

  constructor(database: Pick<Database, 'pool' | 'identify' | 'kill'>) {
    const sharedJobs = <Result>(
      about: string,
      read: (connection: Connection, selection: ConsumerSelection) => Promise<Result>,
    ): SharedJobs<ConsumerSelection, Result> => {
      const run = (selection: ConsumerSelection, operation: Operation): Promise<Result> =>
        operation.activity.statement(about, () =>
          operation.withConnection(() =>
            onConnection(database, (connection) => read(connection, selection), operation),
          ),
        );
      return new SharedJobs(run, areEqual);
    };
    this.counts = sharedJobs('COUNT consumers', countConsumers);
    this.rows = sharedJobs('SELECT consumers', readFleet);
  }

  /** Counts the selected consumers with allocations. Stops above MAX_REBALANCED. */
  count(selection: ConsumerSelection, operation: Operation): Promise<number> {
    return this.counts.result(selection, operation);
  }

  /** Reads the consumers that `count` counts. */
  consumers(selection: ConsumerSelection, operation: Operation): Promise<FleetRows> {
    return this.rows.result(selection, operation);
  }
}

function areEqual(one: ConsumerSelection, other: ConsumerSelection): boolean {
  return one?.sql === other?.sql && JSON.stringify(one?.values) === JSON.stringify(other?.values);
}
