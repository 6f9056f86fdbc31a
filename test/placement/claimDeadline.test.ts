import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { CapacityExceeded, ConcurrentUpdate } from '../../src/model/rejections.js';
import { claim, type ClaimMember } from '../../src/moves/claim/claim.js';
import { Operations } from '../../src/model/operation/operation.js';
import { query, toRequest } from '../support/caseRequests.js';
import { forest } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();

test('a claim whose retries end at the deadline reports the conflict, not that nothing fits', async () => {
  const fleet = forest(Array.from({ length: 40 }, (_, at) => `H${at} VCPU:30`).join('\n'));
  await loadForest(database, fleet);
  let time = 0;
  let hasConflict = false;
  // the conflict comes 1.4 s before the deadline; the next search passes the deadline after four time slices
  const elapsed = (): number => (hasConflict ? (time += 400) : time);
  const conflict = new CapacityExceeded(fleet.providers[0].uuid, 'VCPU', 1, 30, 30);
  const write = (): Promise<never> => {
    hasConflict = true;
    time = 8_600;
    return Promise.reject(conflict);
  };
  const services = { ledger: { ...database.ledger, clock: { now: () => 0, elapsed } }, claims: { write } };
  const member = (name: string, vcpus: number): ClaimMember => ({
    name,
    consumers: Array.from({ length: 200 }, () => ({ consumer: randomUUID(), projectId: 'p', userId: 'u' })),
    requests: [toRequest(query(`resources=VCPU:${vcpus}`), fleet)],
    placement: 'ANY',
  });
  const operation = new Operations().begin();
  const claimed = { members: [member('a', 1), member('b', 2)], topology: [], seed: null, operation };
  await expect(claim({ ...database, ...services, database }, claimed)).rejects.toEqual(
    new ConcurrentUpdate(10_000, conflict),
  );
  operation.end();
});
