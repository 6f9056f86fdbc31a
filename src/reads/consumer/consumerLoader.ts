import DataLoader from 'dataloader';
import type { Database } from '../../database/database.js';
import type { AllocationSource } from './allocationSource.js';
import { CONSUMER_COLUMNS, CONSUMER_OWNERS, type ConsumerSource } from './consumerSource.js';
import { groupBy } from '../groups.js';
import { byCodePoint, byName } from '../../domain/codePointOrder.js';
import { PROVIDER_COLUMNS, providerOf, type ProviderRow } from '../provider/providerSource.js';

type AllocationRow = ProviderRow & { consumer: string; resourceClass: string; used: number };

/**
 * Finds consumers and what they have, one statement for all that is asked for at the same time.
 *
 * A consumer stays for the whole operation what it was when it was first met, and its allocations are read after that:
 * so whoever writes with the generation shown cannot miss a change to the allocations shown.
 */
export class ConsumerLoader {
  private readonly met = new Map<string, ConsumerSource>();
  private readonly uuids: DataLoader<string, ConsumerSource | null>;
  private readonly allocations: DataLoader<ConsumerSource, readonly AllocationSource[], string>;

  constructor(private readonly database: Database) {
    this.uuids = new DataLoader((uuids) => this.loadUuids(uuids));
    this.allocations = new DataLoader((consumers) => this.loadAllocations(consumers), {
      cacheKeyFn: ({ uuid }) => uuid,
    });
  }

  /** The consumer as this operation has met it first. */
  meet(consumer: ConsumerSource): ConsumerSource {
    const known = this.met.get(consumer.uuid) ?? consumer;
    this.met.set(consumer.uuid, known);
    return known;
  }

  byUuid(uuid: string): Promise<ConsumerSource | null> {
    return this.uuids.load(uuid);
  }

  /** Those of the consumers that exist, in the order of the uuids. */
  async existing(uuids: readonly string[]): Promise<ConsumerSource[]> {
    const found = await Promise.all(uuids.map((uuid) => this.byUuid(uuid)));
    return found.filter((consumer) => consumer !== null);
  }

  /** All allocations of a consumer, by the name of the provider, then of the class. */
  allocationsOf(consumer: ConsumerSource): Promise<readonly AllocationSource[]> {
    return this.allocations.load(consumer);
  }

  private async loadUuids(uuids: readonly string[]): Promise<(ConsumerSource | null)[]> {
    const missing = uuids.filter((uuid) => !this.met.has(uuid));
    if (missing.length > 0) {
      const rows = await this.database.pool.query<ConsumerSource[]>(
        `SELECT ${CONSUMER_COLUMNS} FROM consumers c ${CONSUMER_OWNERS} WHERE c.uuid IN (?)`,
        [missing],
      );
      for (const row of rows) this.meet(row);
    }
    return uuids.map((uuid) => this.met.get(uuid) ?? null);
  }

  /** Allocations whose provider or class is missing are left out. */
  private async loadAllocations(consumers: readonly ConsumerSource[]): Promise<AllocationSource[][]> {
    const rows = await this.database.pool.query<AllocationRow[]>(
      `SELECT a.consumer_id AS consumer, a.used, k.name AS resourceClass, ${PROVIDER_COLUMNS}
         FROM allocations a JOIN resource_providers p ON p.id = a.resource_provider_id
         JOIN resource_classes k ON k.id = a.resource_class_id
        WHERE a.consumer_id IN (?) ORDER BY a.id`,
      [consumers.map(({ uuid }) => uuid)],
    );
    const byConsumer = groupBy(rows, (row) => row.consumer);
    return consumers.map((consumer) =>
      (byConsumer.get(consumer.uuid) ?? [])
        .map(({ resourceClass, used, ...provider }) => ({
          consumer,
          provider: providerOf(provider),
          resourceClass,
          used,
        }))
        .sort((a, b) => byName(a.provider, b.provider) || byCodePoint(a.resourceClass, b.resourceClass)),
    );
  }
}
