import { sql } from 'kysely';
import { MemoryExceeded } from '../../model/operation/waiting.js';
import { Spellings } from './catalog.js';
import type { ConsumerReader } from './consumers.js';
import { dateOf, execute, list, read, statement, tables } from './statements.js';

/** The request by which a consumer was placed. Consumers with equal requests share the text. */
export interface RememberedRequest {
  /** The id of the request: equal for equal requests. */
  readonly id: number;
  /** See `textOfRequest`. */
  readonly body: string;
  readonly createdAt: Date;
}

/** A row for each consumer. */
const REMEMBERED = tables
  .selectFrom('consumers as c')
  .leftJoin('placement_consumer_requests as m', 'm.consumer_id', 'c.id')
  .select(['c.id', 'c.uuid', 'm.request_id as requestId', 'm.created_at as createdAt']);
const IS_NEW = sql<boolean>`${sql.raw(Spellings.isNew('c'))}`;
const BY_UUID = statement(
  REMEMBERED.where('c.uuid', 'in', list<string>()).unionAll(
    REMEMBERED.where(IS_NEW).where('c.uuid', 'not in', list<string>()),
  ),
);

/** The maximum number of consumers or requests of a statement. */
const READ_AT_ONCE = 1_000;

/** Reads the remembered requests of consumers, by uuid. Consumers without one are absent. */
export async function requestsOf(
  { pool, spellings }: ConsumerReader,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, RememberedRequest>> {
  const rows = new Map<
    string,
    { readonly id: number; readonly requestId: number; readonly createdAt: Date }
  >();
  for (const some of parts(uuids)) {
    for (const { id, uuid, requestId, createdAt } of await spellings.consumers.find(pool, BY_UUID, some)) {
      const isOldest = id < (rows.get(uuid)?.id ?? Infinity);
      if (requestId !== null && isOldest) rows.set(uuid, { id, requestId, createdAt: dateOf(createdAt)! });
    }
  }
  const bodies = await readRequests(
    pool,
    Array.from(rows.values(), ({ requestId }) => requestId),
  );
  return new Map(
    Array.from(rows).flatMap(([uuid, { requestId: id, createdAt }]): [string, RememberedRequest][] => {
      const body = bodies.get(id);
      return body === undefined ? [] : [[uuid, { id, body, createdAt }]];
    }),
  );
}

const RELATED = statement(
  tables
    .selectFrom('placement_requests')
    .select(['id', 'body'])
    .where(sql<boolean>`body LIKE '%"awayFromConsumers":%' OR body LIKE '%"nearConsumers":%'`),
);

/** Reads the consumers whose remembered requests name one of these consumers in a relation, with the requests. */
export async function readNaming(
  { pool, spellings }: ConsumerReader,
  uuids: readonly string[],
): Promise<(Pick<RememberedRequest, 'id' | 'body'> & { readonly consumer: string })[]> {
  const wanted = new Set(uuids);
  const bodies = new Map<number, string>();
  for (const { id, body } of uuids.length === 0 ? [] : await read(pool, RELATED, [])) {
    const { awayFromConsumers = [], nearConsumers = [] } = JSON.parse(body) as {
      readonly awayFromConsumers?: readonly string[];
      readonly nearConsumers?: readonly string[];
    };
    if ([...awayFromConsumers, ...nearConsumers].some((uuid) => wanted.has(uuid))) bodies.set(id, body);
  }
  const found: { consumer: string; id: number; body: string }[] = [];
  for (const some of parts([...bodies.keys()])) {
    const query = REMEMBERED.where('m.request_id', 'in', some).orderBy('c.id');
    for (const { uuid, requestId } of await execute(pool, query))
      found.push({
        consumer: spellings.consumers.uuidOf(uuid),
        id: requestId!,
        body: bodies.get(requestId!)!,
      });
  }
  return found;
}

/** Reads the texts of requests, by id. @throws MemoryExceeded */
export function readRequests(
  reader: ConsumerReader['pool'],
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const requests = tables.selectFrom('placement_requests').select(['id', 'body as text']);
  return readTexts('The requests of these consumers', ids, (some) =>
    execute(reader, requests.where('id', 'in', some)),
  );
}

/** The maximum number of texts in a statement. Each has up to half a megabyte. */
const TEXTS_AT_ONCE = 200;

/** The maximum length of the texts that an operation reads at once (characters). */
const MOST_TEXT = 33_554_432;

/** Reads texts of JSON by id. @throws MemoryExceeded */
export async function readTexts(
  what: string,
  ids: readonly number[],
  read: (some: readonly number[]) => Promise<readonly { readonly id: number; readonly text: string }[]>,
): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  let length = 0;
  for (const some of parts([...new Set(ids)], TEXTS_AT_ONCE)) {
    for (const { id, text } of await read(some)) {
      texts.set(id, text);
      length += text.length;
    }
    if (length > MOST_TEXT) throw new MemoryExceeded(what, length, MOST_TEXT, 'Ask for fewer at once.');
  }
  return texts;
}

/** Splits a list for one statement each. */
export function* parts<T>(all: readonly T[], size = READ_AT_ONCE): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
