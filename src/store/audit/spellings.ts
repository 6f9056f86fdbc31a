import { isSpelledOtherwise } from '../sql/catalog.js';
import { readSpelledUuids } from '../sql/storedUuids.js';
import type { Queryable } from '../sql/statements.js';
import { normalizeUuid, uuidOf } from '../../model/input.js';
import type { AuditKey, AuditRule, RuleFinding } from './rule.js';

/** The tables in the order of findings: the position is the first number of a key. */
const TABLES = [
  { table: 'consumers', what: 'consumer', consequence: 'it can only be deleted' },
  { table: 'placement_aggregates', what: 'aggregate', consequence: 'they are one aggregate' },
] as const;

const ROWS = TABLES.map(
  ({ table }, at) => `SELECT ${at} AS at, id, uuid AS text FROM ${table} WHERE ${isSpelledOtherwise('uuid')}`,
).join(' UNION ALL ');

/**
 * Finds consumers and aggregates that are stored in another spelling of their uuid, or under a key that is no UUID
 * (decision D24). There is no repair, because other programs may look them up by the stored text.
 */
export const UUID_SPELLING: AuditRule = {
  check: 'UUID_SPELLING',
  async find(reader: Queryable, [table, after]: AuditKey, limit: number) {
    const rows = await reader.query<SpelledRow[]>(
      `SELECT * FROM (${ROWS}) found WHERE at > ? OR (at = ? AND id > ?) ORDER BY at, id LIMIT ${limit}`,
      [table, table, after],
    );
    return findings(reader, rows);
  },
  async count(reader: Queryable) {
    const [{ count }] = await reader.query<{ count: number }[]>(
      `SELECT COUNT(*) AS count FROM (${ROWS}) found`,
    );
    return count;
  },
};

interface SpelledRow {
  readonly at: number;
  readonly id: number;
  readonly text: string;
}

async function findings(reader: Queryable, rows: readonly SpelledRow[]): Promise<RuleFinding[]> {
  const textsOf = new Map<string, readonly string[]>();
  for (const at of new Set(rows.map((row) => row.at)))
    for (const { uuid, texts } of await readSpelledUuids(reader, TABLES[at].table))
      textsOf.set(`${at} ${uuid}`, texts);
  return rows.map(({ at, id, text }) => {
    const uuid = uuidOf(text);
    const consumer = TABLES[at].what === 'consumer' ? uuid : null;
    const message = messageOf(at, text, textsOf.get(`${at} ${uuid}`) ?? []);
    return { key: [at, id], message, provider: null, consumer, resourceClass: null };
  });
}

function messageOf(at: number, text: string, all: readonly string[]): string {
  const { what, consequence } = TABLES[at];
  const shown = JSON.stringify(text);
  if (normalizeUuid(text) === undefined) return `the key ${shown} of a ${what} is no UUID`;
  const others = all.filter((other) => other !== text).map((other) => JSON.stringify(other));
  const more = others.length === 0 ? '' : ` and as ${others.join(' and ')}: ${consequence}`;
  return `${what} ${uuidOf(text)} is stored as ${shown}${more}`;
}
