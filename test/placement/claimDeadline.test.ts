import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { CapacityExceeded, ConcurrentUpdate } from '../../src/model/rejections.js';
import { claim, type ClaimMember } from '../../src/moves/claim/claim.js';
import { ClaimQueue, type ClaimWriter } from '../../src/store/ledger/allocation/claimQueue.js';
import type { Claim } from '../../src/store/ledger/allocation/claims.js';
import { WriteConflict } from '../../src/store/ledger/transaction.js';
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
    texts: [null],
    placement: 'ANY',
  });
  const operation = new Operations().begin();
  const claimed = {
    members: [member('a', 1), member('b', 2)],
    topology: [],
    topologyAlternatives: [],
    stay: true,
    named: null,
    seed: null,
    operation,
  };
  await expect(claim({ ...database, ...services, database }, claimed)).rejects.toEqual(
    new ConcurrentUpdate(10_000, conflict),
  );
  operation.end();
});

test('a claim, its time in the queue and its transactions have one deadline', async () => {
  const fleet = forest('H0 VCPU:8');
  await loadForest(database, fleet);
  let time = 0;
  const ledger = { ...database.ledger, clock: { now: () => Date.now(), elapsed: () => time } };
  const budgets: unknown[] = [];
  const write: ClaimWriter['write'] = ({ budget }) => {
    budgets.push(budget);
    time += 4_000; // in the queue
    return Promise.reject(new CapacityExceeded(fleet.providers[0].uuid, 'VCPU', 1, 8, 8));
  };
  const operation = new Operations().begin();
  const consumers = [{ consumer: randomUUID(), projectId: 'p', userId: 'u' }];
  const requests = [toRequest(query('resources=VCPU:1'), fleet)];
  const members: ClaimMember[] = [{ name: 'a', consumers, requests, texts: [null], placement: 'ANY' }];
  const claimed = {
    members,
    topology: [],
    topologyAlternatives: [],
    stay: true,
    named: null,
    seed: null,
    operation,
  };
  const services = { ...database, database, ledger, claims: { write } };
  await expect(claim(services, claimed)).rejects.toBeInstanceOf(ConcurrentUpdate);
  expect(budgets).toEqual(Array(3).fill({ length: 10_000, end: 10_000 }));
  operation.end();
});

test('a claim in the queue is retried until its own deadline', async () => {
  const [uuid, consumer] = [randomUUID(), randomUUID()];
  await loadForest(database, forest('H1 VCPU:8'));
  let time = 9_900;
  const ledger = { ...database.ledger, clock: { now: () => Date.now(), elapsed: () => time } };
  let attempts = 0;
  const outdated: Claim = {
    inputs: [{ consumer, projectId: 'p', userId: 'u', allocations: [] }],
    takingOver: new Map(),
    budget: { length: 10_000, end: 10_000 },
    check: () => {
      attempts++;
      time += 60;
      throw new WriteConflict(`a rival has changed ${uuid}`);
    },
    validate: () => undefined,
  };
  await expect(new ClaimQueue(ledger).write(outdated)).rejects.toBeInstanceOf(ConcurrentUpdate);
  expect(attempts).toBe(2);
});
