import DataLoader from 'dataloader';
import { list, read, statement, type Reader } from '../../database/statements.js';
import { byCodePoint, byName } from '../../domain/codePointOrder.js';
import type { AllocationEntity, ConsumerEntity } from '../entities.js';
import { groupBy } from '../groups.js';
import { providerOf, PROVIDERS } from '../provider/providerRow.js';
import { CONSUMERS } from './consumerRow.js';

const BY_UUID = statement(CONSUMERS.where('c.uuid', 'in', list<string>()));

const ALLOCATIONS = statement(
  PROVIDERS.innerJoin('allocations as a', 'a.resource_provider_id', 'p.id')
    .innerJoin('resource_classes as k', 'k.id', 'a.resource_class_id')
    .where('a.consumer_id', 'in', list<string>())
    .select(['a.consumer_id as consumer', 'a.used', 'k.name as resourceClass'])
    .orderBy('a.id'),
);

/**
 * Finds consumers and what they have, one statement for all that is asked for at the same time.
 *
 * A consumer stays for the whole operation what it was when it was first read, and its allocations are read
 * after that: so whoever writes with the generation shown cannot miss a change to the allocations shown.
 */
export class ConsumerLoader {
  private readonly primed = new Map<string, ConsumerEntity>();
  private readonly uuids: DataLoader<string, ConsumerEntity | null>;
  private readonly rows: DataLoader<string, ConsumerEntity | null>;
  private readonly allocations: DataLoader<ConsumerEntity, readonly AllocationEntity[], string>;

  constructor(private readonly reader: Reader) {
    this.uuids = new DataLoader((uuids) => this.loadUuids(uuids));
    this.rows = new DataLoader((uuids) => this.loadRows(uuids));
    this.allocations = new DataLoader((consumers) => this.loadAllocations(consumers), {
      cacheKeyFn: ({ uuid }) => uuid,
    });
  }

  /** Takes in a consumer that was read elsewhere. Gives it as this operation has read it first. */
  prime(consumer: ConsumerEntity): ConsumerEntity {
    const known = this.primed.get(consumer.uuid) ?? consumer;
    this.primed.set(consumer.uuid, known);
    return known;
  }

  byUuid(uuid: string): Promise<ConsumerEntity | null> {
    return this.uuids.load(uuid);
  }

  /** When it was created and last changed, of one that was not read as a row; undefined where it is gone. */
  async datesOf(consumer: ConsumerEntity): Promise<Pick<ConsumerEntity, 'createdAt' | 'updatedAt'>> {
    return consumer.createdAt === undefined ? ((await this.rows.load(consumer.uuid)) ?? {}) : consumer;
  }

  /** Those of the consumers that exist, in the order of the uuids. */
  async existing(uuids: readonly string[]): Promise<ConsumerEntity[]> {
    const found = await Promise.all(uuids.map((uuid) => this.byUuid(uuid)));
    return found.filter((consumer) => consumer !== null);
  }

  /** All allocations of a consumer, by the name of the provider, then of the class. */
  allocationsOf(consumer: ConsumerEntity): Promise<readonly AllocationEntity[]> {
    return this.allocations.load(consumer);
  }

  private async loadUuids(uuids: readonly string[]): Promise<(ConsumerEntity | null)[]> {
    const missing = uuids.filter((uuid) => !this.primed.has(uuid));
    if (missing.length > 0) {
      for (const row of await read(this.reader, BY_UUID, [missing])) this.prime(row);
    }
    return uuids.map((uuid) => this.primed.get(uuid) ?? null);
  }

  private async loadRows(uuids: readonly string[]): Promise<(ConsumerEntity | null)[]> {
    const found = new Map((await read(this.reader, BY_UUID, [uuids])).map((row) => [row.uuid, row]));
    return uuids.map((uuid) => found.get(uuid) ?? null);
  }

  /** Allocations whose provider or class is missing are left out. */
  private async loadAllocations(consumers: readonly ConsumerEntity[]): Promise<AllocationEntity[][]> {
    const rows = await read(this.reader, ALLOCATIONS, [consumers.map(({ uuid }) => uuid)]);
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
