import type { Plugin } from 'graphql-yoga';
import { readableDatabase } from '../../store/database/operationReader.js';
import type { Process } from '../process.js';
import { Loaders } from '../../api/loaders/loaders.js';
import type { Context } from '../../api/context.js';
import type { Received } from './receivedBody.js';

type Unfinished = Pick<Received, 'record'> & { -readonly [Key in keyof Context]: Context[Key] };

/**
 * Adds the context of resolvers to that of the request. Assigns each property by name: Yoga's option `context` uses
 * `Object.assign`, which makes a slow dictionary of an object with so many properties.
 */
export function useContext(process: Process): Plugin<Context, Received> {
  return {
    onContextBuilding({ context: given }) {
      const context = given as unknown as Unfinished;
      const { operation, record } = context;
      record?.validated();
      context.viewer ??= null;
      context.requestId ??= null;
      context.log = process.log;
      context.excludedRootTraits = process.excludedRootTraits;
      context.database = readableDatabase(process.database, operation);
      context.databaseId = () => process.databaseId();
      context.ledger = { ...process.ledger, operation };
      context.claims = { write: (claim) => process.claims.write(claim, operation) };
      context.reads = process.reads;
      context.fleetReads = process.fleetReads;
      context.snapshots = process.snapshots;
      context.consumers = {
        current: (classIds) =>
          operation.activity.inDatabase('freshness check', () =>
            process.consumers.current(classIds, operation.signal),
          ),
        reread: (ids) => process.consumers.reread(ids),
      };
      context.watch = process.watch;
      context.consumerWatch = process.consumerWatch;
      context.totalsWatch = process.totalsWatch;
      context.loaders = new Loaders(context.database, process.reads, operation);
      context.written = null;
    },
  };
}
