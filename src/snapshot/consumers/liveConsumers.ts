import type { Database } from '../../database/database.js';
import { readDuplicateConsumers, type DuplicateConsumer } from '../../database/duplicateConsumers.js';
import type { Spellings } from '../../database/spellings.js';
import { groupBy } from '../../domain/collections.js';
import { onConnection } from '../../database/onConnection.js';
import type { ConsumerFiguresSource } from '../../domain/listing/consumerFigures.js';
import { FeedReset, type FeedPosition, type FeedRow } from '../../feed/position.js';
import { readPosition } from '../../feed/reader.js';
import { systemClock, type Clock } from '../../runtime/clock.js';
import { SingleFlight } from '../../runtime/singleFlight.js';
import { ConsumerTable, type ConsumerRecord } from './consumerTable.js';
import { sql } from 'kysely';
import type { Connection } from 'mariadb';
import { arrayStatement, tables } from '../../database/statements.js';
import { streamRows } from '../load.js';

/**
 * How long the table is cached without a request (ms). Measured by the time of day, which advances
 * while the machine sleeps, because the feed is pruned meanwhile.
 */
const KEEP_MS = 10 * 60_000;

/** If more consumers than this have changed, the whole table is read again. */
const MAX_READ_ALONE = 5_000;

interface Loaded {
  readonly table: ConsumerTable;
  readonly position: FeedPosition;
  readonly at: number;
}

/**
 * All consumers in the memory of this process: read on the first request, then updated from the
 * change feed, and dropped after ten minutes without a request. Consumers of providers that
 * reconciliation records are read again.
 */
export class LiveConsumers implements ConsumerFiguresSource {
  private loaded: Loaded | null = null;
  private stale = new Set<number>();
  private expiry: NodeJS.Timeout | undefined;
  private readonly refreshes = new SingleFlight(() => this.refresh());

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
  ) {}

  current(): Promise<ConsumerTable> {
    return this.refreshes.join();
  }

  reread(ids: Iterable<number>): void {
    for (const id of ids) this.stale.add(id);
  }

  close(): void {
    clearTimeout(this.expiry);
    this.loaded = null;
  }

  private async refresh(): Promise<ConsumerTable> {
    const at = this.clock.now();
    const { loaded } = this;
    const isKept = loaded !== null && Math.abs(at - loaded.at) < KEEP_MS;
    const reloading = (error: unknown): Promise<Loaded> => {
      if (error instanceof FeedReset) return this.load(at);
      throw error;
    };
    this.loaded = isKept ? await this.updated(loaded, at).catch(reloading) : await this.load(at);
    clearTimeout(this.expiry);
    this.expiry = setTimeout(() => (this.loaded = null), KEEP_MS).unref();
    return this.loaded.table;
  }

  /** Reads the position first, so that the next refresh reads commits during the load again. */
  private async load(at: number): Promise<Loaded> {
    const { stale } = this;
    this.stale = new Set();
    const read = async (connection: Connection): Promise<Loaded> => {
      const position = await readPosition(connection);
      return { table: await readAllConsumers(connection, this.database.spellings.consumers), position, at };
    };
    try {
      return await onConnection(this.database, read, { pool: this.database.longWork });
    } catch (error) {
      this.reread(stale); // the former table stays in use
      throw error;
    }
  }

  private async updated({ table, position }: Loaded, at: number): Promise<Loaded> {
    const rows = await position.readRows(this.database.pool);
    const delta = position.deltaFrom(rows);
    const { consumers, providers } = changedIn(rows.filter((row) => !position.has(row)));
    if (providers.size > 0) {
      for (const id of table.consumersOn(providers)) consumers.add(id);
      for (const id of await readConsumersOn(this.database, [...providers])) consumers.add(id);
    }
    for (const id of this.stale) consumers.add(id);
    if (consumers.size > MAX_READ_ALONE) return this.load(at);
    const duplicates = await readDuplicateConsumers(this.database);
    for (const { id, first } of duplicates) if (consumers.has(id)) consumers.add(first.id);
    const found = await readConsumers(this.database, [...consumers], duplicates);
    for (const id of consumers) {
      table.remove(id);
      this.stale.delete(id);
    }
    for (const consumer of found) table.set(consumer);
    return { table, position: delta.position, at };
  }
}

/**
 * Returns the consumers in these rows, and the providers of commits without a consumer.
 * Reconciliation records such commits: any consumer may have an allocation on these providers.
 */
function changedIn(rows: readonly FeedRow[]): { consumers: Set<number>; providers: Set<number> } {
  const commitOf = ({ writerId, seq }: FeedRow): string => `${writerId} ${seq}`;
  const ofConsumers = rows.filter(({ kind }) => kind === 'CONSUMER');
  const named = new Set(ofConsumers.map(commitOf));
  const others = rows.filter((row) => row.kind === 'PROVIDER' && !named.has(commitOf(row)));
  return {
    consumers: new Set(ofConsumers.map(({ objectId }) => objectId)),
    providers: new Set(others.map(({ objectId }) => objectId)),
  };
}

const OWNERS = {
  projects: arrayStatement(tables.selectFrom('projects'), ['id', 'external_id']),
  users: arrayStatement(tables.selectFrom('users'), ['id', 'external_id']),
  types: arrayStatement(tables.selectFrom('consumer_types'), ['id', 'name']),
};
const CONSUMERS = arrayStatement(tables.selectFrom('consumers').orderBy('id'), [
  'id',
  'uuid',
  'project_id',
  'user_id',
  'consumer_type_id',
  sql<number | null>`TIMESTAMPDIFF(SECOND, '1970-01-01', updated_at)`.as('updatedAt'),
]);
const ALLOCATIONS = arrayStatement(tables.selectFrom('allocations'), [
  'consumer_id',
  'resource_provider_id',
  'resource_class_id',
  'used',
]);

const MAX_LISTED = 1000;

/** Reads whole tables and joins them here: the database would sort or read in random order. */
async function readAllConsumers(connection: Connection, spellings: Spellings): Promise<ConsumerTable> {
  const names = async (owners: keyof typeof OWNERS): Promise<Map<number, string>> => {
    const found = new Map<number, string>();
    await streamRows(connection, OWNERS[owners], ([id, name]) => found.set(id, name));
    return found;
  };
  const [projects, users, types] = [await names('projects'), await names('users'), await names('types')];
  const table = new ConsumerTable();
  const allocationsOf = new Map<string, ConsumerRecord['allocations'][number][]>();
  await streamRows(connection, CONSUMERS, ([id, text, projectId, userId, typeId, updatedAt]) => {
    const oldest = allocationsOf.get(spellings.uuidOf(text));
    const allocations: ConsumerRecord['allocations'][number][] = oldest ?? [];
    allocationsOf.set(text, allocations);
    allocationsOf.set(spellings.uuidOf(text), allocations);
    if (oldest !== undefined) return; // another row of the same consumer
    table.set({
      id,
      projectId: projects.get(projectId) ?? '',
      userId: users.get(userId) ?? '',
      consumerType: (typeId === null ? null : types.get(typeId)) ?? null,
      updatedAt,
      allocations,
    });
  });
  await streamRows(connection, ALLOCATIONS, ([uuid, providerId, classId, used]) => {
    allocationsOf.get(uuid)?.push({ providerId, classId, used });
  });
  return table;
}

/** Reads consumers that are no duplicates of others, with the allocations of their own duplicates. */
async function readConsumers(
  { prisma }: Pick<Database, 'prisma'>,
  ids: readonly number[],
  duplicates: readonly DuplicateConsumer[],
): Promise<ConsumerRecord[]> {
  const select = {
    id: true,
    updatedAt: true,
    project: { select: { externalId: true } },
    user: { select: { externalId: true } },
    type: { select: { name: true } },
    allocations: { select: { providerId: true, classId: true, used: true } },
  };
  const wanted = new Set(ids);
  const others = duplicates.filter(({ first }) => wanted.has(first.id));
  const firstOf = new Map(duplicates.map(({ id, first }) => [id, first.id]));
  const rows = await inBatches([...new Set([...ids, ...others.map(({ id }) => id)])], (some) =>
    prisma.consumer.findMany({ where: { id: { in: some } }, select }),
  );
  const byOldest = groupBy(rows, ({ id }) => firstOf.get(id) ?? id);
  return rows
    .filter(({ id }) => !firstOf.has(id))
    .map(({ id, updatedAt, project, user, type }) => ({
      id,
      projectId: project?.externalId ?? '',
      userId: user?.externalId ?? '',
      consumerType: type?.name ?? null,
      updatedAt: updatedAt && updatedAt.getTime() / 1_000,
      allocations: byOldest.get(id)!.flatMap((row) => row.allocations),
    }));
}

async function readConsumersOn(
  { prisma }: Pick<Database, 'prisma'>,
  providerIds: readonly number[],
): Promise<number[]> {
  const rows = await inBatches(providerIds, (some) => {
    const where = { allocations: { some: { providerId: { in: some } } } };
    return prisma.consumer.findMany({ where, select: { id: true } });
  });
  return rows.map(({ id }) => id);
}

async function inBatches<T>(ids: readonly number[], read: (some: number[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < ids.length; at += MAX_LISTED)
    found.push(...(await read(ids.slice(at, at + MAX_LISTED))));
  return found;
}
