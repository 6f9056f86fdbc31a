import { groupBy } from '../../model/collections.js';
import { Spellings } from './catalog.js';
import { columns, select, unionAll, type Queryable } from './statements.js';

const a = columns('placement_aggregates', 'a');
const AGGREGATE = { id: a.id, uuid: a.uuid };
const AGGREGATES = unionAll([
  select(AGGREGATE, `FROM placement_aggregates a WHERE ${a.uuid} IN (?)`),
  select(AGGREGATE, `FROM placement_aggregates a WHERE ${Spellings.isNew('a')} AND ${a.uuid} NOT IN (?)`),
]);

/** Reads the rows of these aggregates in every spelling, the oldest first. Omits unknown aggregates. */
export async function findAggregates(
  reader: Queryable,
  spellings: Spellings,
  uuids: readonly string[],
): Promise<{ readonly id: number; readonly uuid: string }[]> {
  const rows = await spellings.find(reader, AGGREGATES, uuids);
  return rows.sort((one, other) => one.id - other.id);
}

/** Returns the pairs of different rows of one aggregate, in both orders. Takes no statement unless a row spells it otherwise. */
export async function readTwins(reader: Queryable, spellings: Spellings): Promise<[number, number][]> {
  if (spellings.size === 0) return [];
  const rows = await findAggregates(
    reader,
    spellings,
    Array.from(spellings.entries(), ([uuid]) => uuid),
  );
  return [...groupBy(rows, ({ uuid }) => uuid).values()].flatMap((own) =>
    own.flatMap(({ id }) =>
      own.flatMap((other): [number, number][] => (other.id === id ? [] : [[id, other.id]])),
    ),
  );
}
