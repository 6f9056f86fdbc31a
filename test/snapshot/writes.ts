import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createProvider } from '../../src/store/ledger/provider/providers.js';
import { inventory as inventoryOf } from '../ledger/support.js';
import { damage } from '../support/damage.js';
import { openProcess, testDatabase, type ProcessDatabase, type TestDatabase } from '../support/database.js';
import { setInventories } from '../support/edits.js';

/**
 * Two processes on one database for all tests of a file: each has its pool and its feed writer.
 * Each test begins without providers and without changes in the feed.
 */
export function useProcesses(): { ours: TestDatabase; theirs: ProcessDatabase } {
  const [ours, theirs] = [{} as TestDatabase, {} as ProcessDatabase];
  beforeAll(async () => {
    Object.assign(ours, await testDatabase());
    Object.assign(theirs, openProcess(ours.url));
  });
  beforeEach(() => damage(ours, ...EMPTIED.map((rows) => `DELETE FROM ${rows}`)));
  afterAll(async () => {
    await theirs.close();
    await ours.close();
  });
  return { ours, theirs };
}

/** All rows but the standard traits and resource classes, and the leases of the processes. */
const EMPTIED = [
  ...['allocations', 'consumers', 'projects', 'users', 'consumer_types', 'inventories'],
  ...['resource_provider_traits', 'resource_provider_aggregates', 'placement_aggregates'],
  ...['resource_providers', 'placement_feed_changes'],
  ...["traits WHERE name LIKE 'CUSTOM%'", "resource_classes WHERE name LIKE 'CUSTOM%'"],
];

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
