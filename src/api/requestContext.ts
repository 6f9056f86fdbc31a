import { readableDatabase } from '../store/database/operationReader.js';
import type { Services } from './services.js';
import { Loaders } from './loaders/loaders.js';
import type { Context } from './context.js';

interface Request extends Pick<Context, 'operation'>, Partial<Pick<Context, 'viewer' | 'requestId'>> {}

/** Returns the context of one operation of a process. */
export function createContext(
  process: Services,
  { operation, viewer = null, requestId = null }: Request,
): Context {
  const { database, excludedRootTraits, log, observer, reads, fleetReads, snapshots, consumers } = process;
  const { watch, consumerWatch, totalsWatch } = process;
  const readable = readableDatabase(database, operation);
  return {
    operation,
    viewer,
    requestId,
    log,
    observer,
    excludedRootTraits,
    database: readable,
    databaseId: () => process.databaseId(),
    ledger: { ...process.ledger, operation },
    claims: { write: (claim) => process.claims.write(claim, operation) },
    reads,
    fleetReads,
    snapshots,
    consumers: {
      current: (classIds) =>
        operation.activity.inDatabase('freshness check', () => consumers.current(classIds, operation.signal)),
      reread: (ids) => consumers.reread(ids),
    },
    watch,
    consumerWatch,
    totalsWatch,
    loaders: new Loaders(readable, reads, operation),
    written: null,
  };
}
