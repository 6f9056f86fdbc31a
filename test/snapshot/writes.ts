import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from '@jest/globals';
import { createProvider } from '../../src/ledger/provider/providers.js';
import { inventory as inventoryOf } from '../ledger/support.js';
import { openProcess, testDatabase, type ProcessDatabase, type TestDatabase } from '../support/database.js';
import { setInventories } from '../support/edits.js';

/** Two processes on a database of each test: each has its pool and its feed writer. */
export function useProcesses(): { ours: TestDatabase; theirs: ProcessDatabase } {
  const [ours, theirs] = [{} as TestDatabase, {} as ProcessDatabase];
  beforeEach(async () => {
    Object.assign(ours, await testDatabase());
    Object.assign(theirs, openProcess(ours.url));
  });
  afterEach(async () => {
    await theirs.close();
    await ours.close();
  });
  return { ours, theirs };
}

/** Of VCPU. */
const inventory = (total: number) => inventoryOf('VCPU', total, { maxUnit: total });

/** Sets the inventory of VCPU of a new provider. */
export const stock = ({ ledger }: ProcessDatabase, resourceProvider: string, total: number) =>
  setInventories(ledger, { resourceProvider, generation: 0, inventories: [inventory(total)] });

/** A new provider with so much VCPU, at generation 1, whose name is its uuid. */
export async function stocked(process: ProcessDatabase, total: number): Promise<string> {
  const uuid = randomUUID();
  await createProvider(process.ledger, { name: uuid, uuid });
  await stock(process, uuid, total);
  return uuid;
}

/** Of VCPU, for one consumer. */
export const claim = (consumer: string, provider: string, amount = 1, generation: number | null = null) => ({
  consumers: [
    {
      consumer,
      generation,
      projectId: 'p',
      userId: 'u',
      allocations: [{ resourceProvider: provider, resources: [{ resourceClass: 'VCPU', amount }] }],
    },
  ],
});
