import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FleetReads } from '../../src/moves/rebalance/fleetReads.js';
import { planRebalance, type RebalancePlan } from '../../src/moves/rebalance/currentRebalance.js';
import type { RebalanceRequest } from '../../src/moves/rebalance/requestsOfConsumers.js';
import { Operations, type Operation } from '../../src/model/operation/operation.js';
import { forest, uuidOf } from '../support/forest.js';
import { loadForest } from '../support/loadForest.js';
import { addConsumers } from '../support/manyConsumers.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();
let operation: Operation;

/** A fleet that is too large to be enumerated, where a move empties a host. */
beforeAll(async () => {
  await loadForest(database, forest('a VCPU:32\nb VCPU:8'));
  await addConsumers(database, uuidOf('provider', 'a'), 16);
  await addConsumers(database, uuidOf('provider', 'b'), 1);
  operation = new Operations().begin();
});
afterAll(() => operation.end());

const LIMITS = { maxMoves: 10, minGain: 0, aggregate: null, resourceClasses: null };
const REQUEST: RebalanceRequest = {
  goal: 'FREE_HOSTS',
  ...LIMITS,
  keep: [],
  keepTypes: [],
  keepsTraits: false,
  excludedRootTraits: [],
  requests: [],
};

/** Plans with a clock that advances by these times at the read of the consumers and at each read of the clock (ms). */
function planAt(read: number, look: number): Promise<RebalancePlan> {
  let time = 0;
  const reads = new FleetReads(database);
  const fleetReads = Object.create(reads, {
    consumers: {
      value: (...given: Parameters<FleetReads['consumers']>) => ((time += read), reads.consumers(...given)),
    },
  }) as FleetReads;
  const clock = { now: () => 0, elapsed: () => (time += look) };
  const services = { ledger: { ...database.ledger, clock }, database, fleetReads };
  return planRebalance({ ...database, ...services }, REQUEST, operation);
}

test('the time of a plan begins after the consumers are read', async () => {
  expect(await planAt(10_000, 0)).toMatchObject({ outcome: 'FOUND', gain: 1, moveCount: 1 });
});

test('a plan that ran out of time and found nothing is undecided', async () => {
  expect(await planAt(0, 10_000)).toMatchObject({ outcome: 'UNDECIDED', isOptimal: false, moves: [] });
});
