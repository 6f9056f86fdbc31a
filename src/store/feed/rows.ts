import { columns } from '../sql/statements.js';
import { CATALOG, type RecordedChanges, usageText } from '../../model/recordedChanges.js';

const changes = columns('placement_feed_changes');
const writers = columns('placement_feed_writers');
const p = columns('resource_providers', 'p');
const c = columns('consumers', 'c');

const KEY = [
  changes.writer_id,
  changes.seq,
  changes.low_watermark,
  changes.created_at,
  changes.kind,
  changes.object_id,
];
const ABOUT_OBJECT = [
  changes.uuid,
  changes.generation,
  changes.root_id,
  changes.former_root_id,
  changes.changes,
  changes.usage_change,
  changes.project_id,
  changes.former_project_id,
];
const COLUMNS = [...KEY, ...ABOUT_OBJECT].join(', ');

/** Writer, sequence and low-watermark. The writer's id is null, which the table rejects, if its lease was removed. */
export type RowStart = readonly [writerId: number, seq: number, lowWatermark: number];
const WRITER = `(SELECT ${writers.id} FROM placement_feed_writers WHERE ${writers.id} = ?)`;
const ROW_START = `SELECT ${WRITER}, ?, ?, UTC_TIMESTAMP()`;

const ROOT = `COALESCE(${p.root_provider_id}, ${p.id})`;
const STAYING = `${ROW_START}, 'PROVIDER', ${p.id}, ${p.uuid}, COALESCE(${p.generation}, 0), ${ROOT}, NULL,
  f.kinds, f.usage_change, NULL, NULL
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    id int PATH '$[0]', kinds int PATH '$[1]', usage_change varchar(255) PATH '$[2]'
  )) f STRAIGHT_JOIN resource_providers p ON ${p.id} = f.id`;
const LEAVING = `${ROW_START}, 'PROVIDER', f.id, f.uuid,
  IF(${p.id} IS NULL, NULL, COALESCE(${p.generation}, 0)), ${ROOT},
  NULLIF(f.root_id, ${ROOT}), f.kinds, NULL, NULL, NULL
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    id int PATH '$.id', uuid varchar(36) PATH '$.uuid', root_id int PATH '$.rootId', kinds int PATH '$.kinds'
  )) f LEFT JOIN resource_providers p ON ${p.id} = f.id`;
const THE_CATALOG = `${ROW_START}, 'CATALOG', ${CATALOG}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`;

const CONSUMER = `${ROW_START}, 'CONSUMER', ${c.id}, ${c.uuid}, ${c.generation},
  NULL, NULL, NULL, NULL, ${c.project_id}, NULL
  FROM consumers c WHERE`;
const CONSUMERS = `${CONSUMER} ${c.id} IN (?)`;
const NEW_CONSUMERS = `${CONSUMER} ${c.uuid} IN (?) AND ${c.id} NOT IN (?)`;
const PROJECT = `COALESCE(${c.project_id}, f.project_id)`;
const LEAVING_CONSUMERS = `${ROW_START}, 'CONSUMER', f.id, f.uuid, ${c.generation}, NULL, NULL, NULL, NULL,
  ${PROJECT}, NULLIF(f.project_id, ${PROJECT})
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    id int PATH '$.id', uuid varchar(36) PATH '$.uuid', project_id int PATH '$.projectId'
  )) f LEFT JOIN consumers c ON ${c.id} = f.id`;

interface Insertion {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A query for rows of a transaction; its values follow those of {@link ROW_START}. */
type Query = readonly [text: string, ...values: unknown[]];

export function insertionOf(recorded: RecordedChanges, start: RowStart): Insertion {
  const queries = [...providerQueries(recorded), ...consumerQueries(recorded)];
  return {
    text: `INSERT INTO placement_feed_changes (${COLUMNS}) ${queries.map(([text]) => text).join(' UNION ALL ')}`,
    values: queries.flatMap(([, ...values]) => [...start, ...values]),
  };
}

/**
 * Returns a statement that inserts rows without details of the change. Subscriptions skip all of
 * them except RESET. An existing row with the same key is left unchanged.
 */
export function invalidationOf(
  kind: 'PROVIDER' | 'HEARTBEAT' | 'RESET',
  ids: readonly number[],
  start: RowStart,
): Insertion {
  return {
    text: `INSERT INTO placement_feed_changes (${KEY.join(', ')})
      ${ids.map(() => `${ROW_START}, ?, ?`).join(' UNION ALL ')} 
      ON DUPLICATE KEY UPDATE placement_feed_changes.seq = placement_feed_changes.seq`,
    values: ids.flatMap((id) => [...start, kind, id]),
  };
}

function providerQueries({ providers, leaving, usage }: RecordedChanges): Query[] {
  const staying = [...providers].flatMap(([id, kinds]) => {
    if (id === CATALOG || leaving.has(id)) return [];
    const change = usage.get(id);
    const text = change === undefined ? null : usageText(change);
    return [text === null ? [id, kinds] : [id, kinds, text]];
  });
  const queries: Query[] = staying.length > 0 ? [[STAYING, JSON.stringify(staying)]] : [];
  if (leaving.size > 0) {
    const former = Array.from(leaving.values(), (row) => ({ ...row, kinds: providers.get(row.id) }));
    queries.push([LEAVING, JSON.stringify(former)]);
  }
  if (providers.has(CATALOG)) queries.push([THE_CATALOG]);
  return queries;
}

function consumerQueries({ consumers, newConsumers, leavingConsumers }: RecordedChanges): Query[] {
  const staying = [...consumers].filter((id) => !leavingConsumers.has(id));
  const queries: Query[] = [];
  if (staying.length > 0) queries.push([CONSUMERS, staying]);
  // no consumer has the id 0, and the list of an IN must not be empty
  if (newConsumers.size > 0) queries.push([NEW_CONSUMERS, [...newConsumers], [0, ...consumers]]);
  if (leavingConsumers.size > 0)
    queries.push([LEAVING_CONSUMERS, JSON.stringify([...leavingConsumers.values()])]);
  return queries;
}
