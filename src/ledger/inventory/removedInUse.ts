import { batches, COMPARED_AT_ONCE } from '../batches.js';
import { InventoryInUse, ProviderInUse, type ReshapeViolation } from '../errors.js';
import type { Labels } from '../allocation/violations.js';
import type { ProviderRow } from '../provider/providerRows.js';
import type { Shelf } from './inventoryUsage.js';
import type { Transaction } from '../transaction.js';

/** What a write takes away: whole providers, and inventories of providers that stay. */
export interface Vanishing {
  readonly providers: readonly Pick<ProviderRow, 'id'>[];
  readonly inventories: readonly Shelf[];
}

/** Violations listed of one kind at the most: enough to see what is wrong, few enough to read. */
const MOST_LISTED = 1000;

/**
 * Allocations of consumers that are not named on what vanishes (rule 185): one violation for each provider that goes and
 * consumer on it, one for each inventory that goes and consumer.
 */
export async function vanishingInUse(
  tx: Transaction,
  { providers, inventories }: Vanishing,
  named: readonly string[],
  labels: Labels,
): Promise<ReshapeViolation[]> {
  const users = await usersOf(tx, { providers, inventories }, named, `LIMIT ${MOST_LISTED}`);
  const gone = new Set(providers.map(({ id }) => id));
  const onProviders = new Map<string, ReshapeViolation>();
  const onInventories: ReshapeViolation[] = [];
  for (const { consumer, providerId, classId, className } of users) {
    if (gone.has(providerId)) {
      const refusal = new ProviderInUse(labels.provider(providerId));
      onProviders.set(`${providerId}:${consumer}`, { refusal, consumer });
    } else {
      const refusal = new InventoryInUse(labels.provider(providerId), className ?? String(classId));
      onInventories.push({ refusal, consumer });
    }
  }
  return [...onProviders.values(), ...onInventories];
}

/** The consumers with an allocation on what vanishes, in the order in which they came to it. */
export async function consumersOn(tx: Transaction, vanishing: Vanishing): Promise<string[]> {
  const users = await usersOf(tx, vanishing, []);
  return [...new Set(users.sort((a, b) => a.id - b.id).map(({ consumer }) => consumer))];
}

interface User extends Shelf {
  readonly id: number;
  readonly consumer: string;
  readonly className: string | null;
}

async function usersOf(
  tx: Transaction,
  { providers, inventories }: Vanishing,
  named: readonly string[],
  limit = '',
): Promise<User[]> {
  const find = (place: string, values: unknown[]): Promise<User[]> =>
    tx.query<User[]>(
      `SELECT a.id, a.consumer_id AS consumer, a.resource_provider_id AS providerId, a.resource_class_id AS classId,
              c.name AS className
       FROM allocations a LEFT JOIN resource_classes c ON c.id = a.resource_class_id
       WHERE (${place}) AND a.consumer_id NOT IN (?)
       ORDER BY a.resource_provider_id, a.resource_class_id, a.id ${limit}`,
      [...values, named.length > 0 ? named : ['']],
    );
  const users =
    providers.length > 0 ? await find('a.resource_provider_id IN (?)', [providers.map(({ id }) => id)]) : [];
  for (const shelves of batches(inventories, COMPARED_AT_ONCE)) {
    const isOne = shelves.map(() => 'a.resource_provider_id = ? AND a.resource_class_id = ?').join(' OR ');
    const values = shelves.flatMap(({ providerId, classId }) => [providerId, classId]);
    for (const user of await find(isOne, values)) users.push(user);
  }
  return users;
}
