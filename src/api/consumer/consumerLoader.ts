import type DataLoader from 'dataloader';
import type { ReadableDatabase } from '../../store/database/database.js';
import { list, read, statement } from '../../store/sql/statements.js';
import { byCodePoint, byName } from '../../model/listing/orderedPage.js';
import type { ConsumerEntity } from '../../model/entities.js';
import type { AllocationEntity } from '../entities.js';
import { groupBy } from '../../model/collections.js';
import { providerOf, PROVIDERS } from '../provider/providerRow.js';
import { readConsumersByUuid } from '../../store/sql/consumers.js';
import type { Operation } from '../../model/operation/operation.js';
import { BatchLoader, RowLoader } from '../loaders/batchLoader.js';

const ALLOCATIONS = statement(
  PROVIDERS.innerJoin('allocations as a', 'a.resource_provider_id', 'p.id')
    .innerJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
    .where('a.consumer_id', 'in', list<string>())
    .select(['a.consumer_id as consumer', 'a.used', 'k.name as resourceClass'])
    .orderBy('a.id'),
);

/**
 * Loads consumers and their allocations, batched.
 *
 * The operation keeps the first state that it reads of a consumer, and reads the allocations
 * afterwards. So a write with the returned generation never overlooks a change of the returned
 * allocations.
 */
export class ConsumerLoader {
  private readonly primed = new Map<string, ConsumerEntity>();
  private readonly uuids: DataLoader<string, ConsumerEntity | null>;
  private readonly rows: DataLoader<string, ConsumerEntity | null>;
  private readonly allocations: DataLoader<ConsumerEntity, readonly AllocationEntity[], string>;

  constructor(
    operation: Operation,
    private readonly database: ReadableDatabase,
  ) {
    this.uuids = new BatchLoader(operation, (uuids) => this.loadUuids(uuids));
    this.rows = new RowLoader(operation, 'uuid', (uuids) => this.read(uuids));
    this.allocations = new BatchLoader(operation, (consumers) => this.loadAllocations(consumers), {
      cacheKeyFn: ({ uuid }) => uuid,
    });
  }

  /** Adds a consumer that was read elsewhere. Returns the state that this operation read first. */
  prime(consumer: ConsumerEntity): ConsumerEntity {
    const known = this.primed.get(consumer.uuid) ?? consumer;
    this.primed.set(consumer.uuid, known);
    return known;
  }

  byUuid(uuid: string): Promise<ConsumerEntity | null> {
    return this.uuids.load(uuid);
  }

  /** Reads the dates if the consumer was not read as a row. They are undefined if it is deleted. */
  async datesOf(consumer: ConsumerEntity): Promise<Pick<ConsumerEntity, 'createdAt' | 'updatedAt'>> {
    return consumer.createdAt === undefined ? ((await this.rows.load(consumer.uuid)) ?? {}) : consumer;
  }

  /** Returns the existing consumers, in the order of the uuids. */
  async existing(uuids: readonly string[]): Promise<ConsumerEntity[]> {
    const found = await Promise.all(uuids.map((uuid) => this.byUuid(uuid)));
    return found.filter((consumer) => consumer !== null);
  }

  /** Returns all allocations of a consumer, sorted by the name of the provider, then of the class. */
  allocationsOf(consumer: ConsumerEntity): Promise<readonly AllocationEntity[]> {
    return this.allocations.load(consumer);
  }

  private async loadUuids(uuids: readonly string[]): Promise<(ConsumerEntity | null)[]> {
    const missing = uuids.filter((uuid) => !this.primed.has(uuid));
    if (missing.length > 0) for (const row of await this.read(missing)) this.prime(row);
    return uuids.map((uuid) => this.primed.get(uuid) ?? null);
  }

  private read(uuids: readonly string[]): Promise<ConsumerEntity[]> {
    return readConsumersByUuid(this.database, uuids);
  }

  /** Skips allocations without a provider or class. Sums those of several rows for one provider and class. */
  private async loadAllocations(consumers: readonly ConsumerEntity[]): Promise<AllocationEntity[][]> {
    const { pool, spellings } = this.database;
    const texts = spellings.consumers.textsOf(consumers.map(({ uuid }) => uuid));
    const rows = await read(pool, ALLOCATIONS, [texts]);
    const byConsumer = groupBy(rows, (row) => spellings.consumers.uuidOf(row.consumer));
    return consumers.map((consumer) =>
      Array.from(
        groupBy(
          byConsumer.get(consumer.uuid) ?? [],
          ({ id, resourceClass }) => `${id} ${resourceClass}`,
        ).values(),
        (own) => {
          const [{ resourceClass, used: _, ...provider }] = own;
          const used = own.reduce((sum, row) => sum + row.used, 0);
          return { consumer, provider: providerOf(provider), resourceClass, used };
        },
      ).sort((a, b) => byName(a.provider, b.provider) || byCodePoint(a.resourceClass, b.resourceClass)),
    );
  }
}
