import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { systemClock } from '../../src/model/operation/turns.js';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import { QuotaReconciliation } from '../../src/store/quotas/reconcile.js';
import { setQuotas } from '../../src/store/quotas/setQuotas.js';
import { useDatabase } from '../support/useDatabase.js';
import { storedUsages } from './quotaSupport.js';
import { inventory, stocked } from './support.js';

const seen: string[] = [];
const database = useDatabase({ onStatement: (text) => void seen.push(text) });

/** The maximum pause after which writes of other programs count "after a few seconds" (ms). */
const FEW_SECONDS = 2_000;

test('without quotas a step sends no statement, and the next one follows in a few seconds', async () => {
  const job = new QuotaReconciliation(database, database.ledger, systemClock);
  await database.ledger.feed.ready();
  const before = seen.length;
  const pause = await job.step();
  expect(seen.slice(before)).toEqual([]);
  expect(pause).toBeLessThanOrEqual(FEW_SECONDS);

  const [host, consumer] = [await stocked(database, inventory('VCPU', 100)), randomUUID()];
  const allocations = [{ resourceProvider: host, resources: [{ resourceClass: 'VCPU', amount: 2 }] }];
  const consumers = [{ consumer, projectId: 'p', userId: 'u', allocations }];
  await setAllocations(database.claims, { consumers });
  const limits = [{ resourceClass: 'VCPU', limit: 5 }];
  await setQuotas(database.ledger, { projects: [{ projectId: 'p', limits }] });
  await database.pool.query('UPDATE allocations SET used = 4 WHERE consumer_id = ?', [consumer]);
  expect(await job.step()).toBeLessThanOrEqual(FEW_SECONDS);
  expect(await storedUsages(database)).toEqual(['PROJECT p VCPU: 4']);
});
