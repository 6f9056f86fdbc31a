import { columns } from '../database/statements.js';
import { CATALOG, CONSUMER_ROWS, type RecordedChanges } from './recordedChanges.js';
import { usageText } from './usage.js';

const changes = columns('placement_feed_changes');
const p = columns('resource_providers', 'p');
const c = columns('consumers', 'c');

/** What every row has. */
export const KEY = [changes.writer_id, changes.seq, changes.settled, changes.created_at, changes.provider_id];
const OF_PROVIDER = [
  changes.uuid,
  changes.generation,
  changes.root_id,
  changes.former_root_id,
  changes.kinds,
  changes.usage_change,
];
const OF_CONSUMER = [
  changes.consumer_id,
  changes.consumer_uuid,
  changes.project_id,
  changes.former_project_id,
];
const COLUMNS = [...KEY, ...OF_PROVIDER, ...OF_CONSUMER].join(', ');

/** What a row begins with: writer, sequence and low-watermark. */
const ROW_START = 'SELECT ?, ?, ?, UTC_TIMESTAMP()';
const NO_CONSUMER = 'NULL, NULL, NULL, NULL';
const ROOT = `COALESCE(${p.root_provider_id}, ${p.id})`;
const STAYING = `${ROW_START}, ${p.id}, ${p.uuid}, COALESCE(${p.generation}, 0), ${ROOT}, NULL, f.kinds, f.usage_change, ${NO_CONSUMER}
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    id int PATH '$[0]', kinds int PATH '$[1]', usage_change varchar(255) PATH '$[2]'
  )) f STRAIGHT_JOIN resource_providers p ON ${p.id} = f.id`;
const LEAVING = `${ROW_START}, f.id, f.uuid, IF(${p.id} IS NULL, NULL, COALESCE(${p.generation}, 0)), ${ROOT}, NULLIF(f.root_id, ${ROOT}),
  f.kinds, NULL, ${NO_CONSUMER}
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    id int PATH '$.id', uuid varchar(36) PATH '$.uuid', root_id int PATH '$.rootId', kinds int PATH '$.kinds'
  )) f LEFT JOIN resource_providers p ON ${p.id} = f.id`;
const THE_CATALOG = `${ROW_START}, ${CATALOG}, NULL, NULL, NULL, NULL, NULL, NULL, ${NO_CONSUMER}`;

/** The number of the row among those of the commit is a parameter and what is added to it, which MySQL counts without a sign. */
const CONSUMER_START = `${ROW_START}, ${CONSUMER_ROWS} * (? + CAST(`;
const CONSUMER = `${CONSUMER_START}ROW_NUMBER() OVER (ORDER BY ${c.id}) AS SIGNED)), NULL, ${c.generation}, NULL, NULL, NULL, NULL,
  ${c.id}, ${c.uuid}, ${c.project_id}, NULL
  FROM consumers c WHERE`;
const CONSUMERS = `${CONSUMER} ${c.id} IN (?)`;
const NEW_CONSUMERS = `${CONSUMER} ${c.uuid} IN (?)`;
const PROJECT = `COALESCE(${c.project_id}, f.project_id)`;
const LEAVING_CONSUMERS = `${CONSUMER_START}f.number AS SIGNED)), NULL, ${c.generation}, NULL, NULL, NULL, NULL,
  f.id, f.uuid, ${PROJECT}, NULLIF(f.project_id, ${PROJECT})
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    number FOR ORDINALITY, id int PATH '$.id', uuid varchar(36) PATH '$.uuid', project_id int PATH '$.projectId'
  )) f LEFT JOIN consumers c ON ${c.id} = f.id`;

/** A query that gives rows of a transaction; its values follow those of {@link ROW_START}. */
type Query = readonly [text: string, ...values: unknown[]];

/** The statement that inserts the rows of a transaction, `start` being its writer, sequence and low-watermark. */
export function insertionOf(
  recorded: RecordedChanges,
  start: readonly number[],
): { readonly text: string; readonly values: readonly unknown[] } {
  const queries = [...providerQueries(recorded), ...consumerQueries(recorded)];
  return {
    text: `INSERT INTO placement_feed_changes (${COLUMNS}) ${queries.map(([text]) => text).join(' UNION ALL ')}`,
    values: queries.flatMap(([, ...values]) => [...start, ...values]),
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
  const before = staying.length + newConsumers.size;
  return [
    ...(staying.length > 0 ? [[CONSUMERS, 0, staying] as const] : []),
    ...(newConsumers.size > 0 ? [[NEW_CONSUMERS, staying.length, [...newConsumers]] as const] : []),
    ...(leavingConsumers.size > 0
      ? [[LEAVING_CONSUMERS, before, JSON.stringify([...leavingConsumers.values()])] as const]
      : []),
  ];
}
