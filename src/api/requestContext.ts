import type { Operation } from '../model/operation/operation.js';
import { readableDatabase } from '../store/database/operationReader.js';
import type { Services } from './services.js';
import { Loaders } from './loaders/loaders.js';
import type { Context } from './context.js';

/** A context whose operation is known, and perhaps its viewer and its request. */
type Begun = Partial<{ -readonly [Key in keyof Context]: Context[Key] }> & { readonly operation: Operation };

/**
 * Completes the context of an operation. Assigns each property by name, because `Object.assign` makes a slow dictionary
 * of an object with so many properties.
 */
export function completeContext(begun: Begun, process: Services): Context {
  const { operation } = begun;
  begun.viewer ??= null;
  begun.requestId ??= null;
  begun.log = process.log;
  begun.observer = process.observer;
  begun.excludedRootTraits = process.excludedRootTraits;
  const database = readableDatabase(process.database, operation);
  begun.database = database;
  begun.databaseId = () => process.databaseId();
  begun.ledger = { ...process.ledger, operation };
  begun.claims = { write: (claim) => process.claims.write(claim, operation) };
  begun.reads = process.reads;
  begun.fleetReads = process.fleetReads;
  begun.snapshots = process.snapshots;
  begun.consumers = {
    current: (classIds) =>
      operation.activity.inDatabase('freshness check', () =>
        process.consumers.current(classIds, operation.signal),
      ),
    reread: (ids) => process.consumers.reread(ids),
  };
  begun.watch = process.watch;
  begun.consumerWatch = process.consumerWatch;
  begun.totalsWatch = process.totalsWatch;
  begun.loaders = new Loaders(database, process.reads, operation);
  begun.written = null;
  return begun as Context;
}
