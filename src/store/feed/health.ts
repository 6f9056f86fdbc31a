import { ok, orOk, problem, warning, type Finding } from '../finding.js';
import { columns, read, select, type Column, type Queryable } from '../sql/statements.js';
import { FEED_MINUTES } from './writer.js';

const CHECK = 'change feed';

/** With more rows than this every process takes long to start. */
const MANY_ROWS = 1_000_000;
/** A writer should not have more open rows than this: every freshness check reads them again. */
const MANY_OPEN_ROWS = 10_000;
/** A server that has run for this long has removed the changes that were too old when it started. */
const PRUNED_MINUTES = FEED_MINUTES + 5;

const f = columns('placement_feed_changes', 'f');
const w = columns('placement_feed_writers', 'w');
const ageOf = (time: 'MIN' | 'MAX') =>
  `TIMESTAMPDIFF(SECOND, ${time}(${f.created_at}), UTC_TIMESTAMP())` as Column<number | null>;
const AMOUNT = 'COUNT(*)' as Column<number>;
const WRITER = { id: `DISTINCT ${f.writer_id}` as Column<number> };

const SUMS = select(
  { amount: AMOUNT, oldest: ageOf('MIN'), newest: ageOf('MAX') },
  'FROM placement_feed_changes f',
);
const UNREGISTERED = select(
  WRITER,
  `FROM placement_feed_changes f LEFT JOIN placement_feed_writers w ON ${w.id} = ${f.writer_id}
   WHERE ${w.id} IS NULL ORDER BY ${f.writer_id}`,
);
/** Writers that have written lately and have run for long enough to have pruned the feed. */
const LASTING = select(
  WRITER,
  `FROM placement_feed_changes f JOIN placement_feed_writers w ON ${w.id} = ${f.writer_id}
   WHERE ${f.created_at} > UTC_TIMESTAMP() - INTERVAL 5 MINUTE
     AND ${w.started_at} < UTC_TIMESTAMP() - INTERVAL ${PRUNED_MINUTES} MINUTE`,
);
const OPEN_ROWS = select(
  { id: f.writer_id, amount: AMOUNT },
  `FROM (SELECT writer_id, MAX(low_watermark) AS low_watermark FROM placement_feed_changes GROUP BY writer_id) m
   JOIN placement_feed_changes f ON ${f.writer_id} = m.writer_id AND ${f.seq} >= m.low_watermark
   GROUP BY ${f.writer_id} HAVING COUNT(*) > ${MANY_OPEN_ROWS}`,
);

export async function checkFeed(reader: Queryable): Promise<Finding[]> {
  const [{ amount, oldest, newest }] = await read(reader, SUMS, []);
  if (amount === 0) return [ok(CHECK, 'is empty')];
  const findings = [...(await findGaps(reader)), ...(await findUnpruned(reader, oldest ?? 0))];
  if (newest !== null && newest < -60) {
    const found = `its newest change is dated ${-newest} s ahead: the clock of the database has jumped back`;
    const change = 'keep that clock by NTP; cursors of subscriptions become valid again after the same time';
    findings.push(warning(CHECK, found, change));
  }
  if (amount > MANY_ROWS) {
    const change = 'start a server on the database, which removes what is older than a quarter of an hour';
    findings.push(warning(CHECK, `has ${amount} changes`, change));
  }
  const kept = `the oldest ${oldest} s old; they are kept for ${FEED_MINUTES} minutes`;
  return orOk(findings, CHECK, `${amount} changes, ${kept}`);
}

async function findGaps(reader: Queryable): Promise<Finding[]> {
  const unregistered = await read(reader, UNREGISTERED, []);
  const lagging = await read(reader, OPEN_ROWS, []);
  return [
    ...unregistered.map(({ id }) => {
      const found = `the writer ${id} has changes and is not registered: cursors that name it are rejected`;
      const insert =
        'INSERT INTO placement_feed_writers (id, holder, started_at, expires_at) ' +
        `VALUES (${id}, 'unknown', UTC_TIMESTAMP(), UTC_TIMESTAMP())`;
      return problem(CHECK, found, { statements: [insert] });
    }),
    ...lagging.map(({ id, amount }) => {
      const found = `the writer ${id} has ${amount} changes above its low-watermark, which every query reads again`;
      return warning(CHECK, found, 'find the open transaction of this writer (SHOW PROCESSLIST)');
    }),
  ];
}

async function findUnpruned(reader: Queryable, oldest: number): Promise<Finding[]> {
  if (oldest < 60 * (PRUNED_MINUTES + FEED_MINUTES)) return [];
  const lasting = await read(reader, LASTING, []);
  if (lasting.length === 0) return []; // the next server that starts removes them
  const age = `${Math.round(oldest / 60)} minutes old`;
  const found = `its oldest change is ${age}, though a server runs that should have removed it`;
  const change = 'look for "updating the snapshot" in the log of the servers, and start them again';
  return [warning(CHECK, found, change)];
}
