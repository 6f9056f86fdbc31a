import { ok, problem, warning, type Finding } from '../database/diagnosis/finding.js';
import { select, read, columns, type Column, type Queryable } from '../database/statements.js';
import { FEED_MINUTES } from './writer.js';

const CHECK = 'change feed';

/** With more rows than this every process takes long to start. */
const MANY_ROWS = 1_000_000;
/** The open rows of one writer, which every freshness check reads again. */
const MANY_OPEN_ROWS = 10_000;
/** A server that has run for this long has removed the changes that were too old when it started. */
const PRUNED_MINUTES = FEED_MINUTES + 5;

const f = columns('placement_feed_changes', 'f');
const w = columns('placement_feed_writers', 'w');
const now = 'UTC_TIMESTAMP()';
const number = (text: string): Column<number | null> => text;

const SUMS = select(
  {
    amount: number('COUNT(*)'),
    oldest: number(`TIMESTAMPDIFF(SECOND, MIN(${f.created_at}), ${now})`),
    newest: number(`TIMESTAMPDIFF(SECOND, MAX(${f.created_at}), ${now})`),
  },
  'FROM placement_feed_changes f',
);
const UNREGISTERED = select(
  { id: f.writer_id },
  `FROM placement_feed_changes f LEFT JOIN placement_feed_writers w ON ${w.id} = ${f.writer_id}
    WHERE ${w.id} IS NULL GROUP BY ${f.writer_id} ORDER BY ${f.writer_id}`,
);
/** Writers that have written lately and have run for long enough to have pruned the feed. */
const LASTING = select(
  { id: f.writer_id },
  `FROM placement_feed_changes f JOIN placement_feed_writers w ON ${w.id} = ${f.writer_id}
    WHERE ${f.created_at} > ${now} - INTERVAL 5 MINUTE AND ${w.started_at} < ${now} - INTERVAL ${PRUNED_MINUTES} MINUTE
    GROUP BY ${f.writer_id}`,
);
const OPEN_ROWS = select(
  { id: f.writer_id, amount: number('COUNT(*)') },
  `FROM (SELECT writer_id, MAX(low_watermark) AS low_watermark FROM placement_feed_changes GROUP BY writer_id) m
   STRAIGHT_JOIN placement_feed_changes f ON ${f.writer_id} = m.writer_id AND ${f.seq} >= m.low_watermark
   GROUP BY ${f.writer_id} HAVING COUNT(*) > ${MANY_OPEN_ROWS}`,
);

/** Checks that the change feed is pruned, and that readers can follow it. */
export async function checkFeed(reader: Queryable): Promise<Finding[]> {
  const [{ amount, oldest, newest }] = await read(reader, SUMS, []);
  if (amount === 0) return [ok(CHECK, 'is empty')];
  const findings = [...(await findGaps(reader)), ...(await findUnpruned(reader, oldest ?? 0))];
  if (newest !== null && newest < -60)
    findings.push(
      warning(
        CHECK,
        `its newest change is dated ${-newest} s ahead: the clock of the database has jumped back`,
        {
          change: 'keep that clock by NTP; cursors of subscriptions are right again after as long',
        },
      ),
    );
  if ((amount ?? 0) > MANY_ROWS)
    findings.push(
      warning(CHECK, `has ${amount} changes`, {
        change: 'start a server on the database, which removes what is older than a quarter of an hour',
      }),
    );
  if (findings.length > 0) return findings;
  return [
    ok(CHECK, `${amount} changes, the oldest ${oldest} s old; they are kept for ${FEED_MINUTES} minutes`),
  ];
}

async function findGaps(reader: Queryable): Promise<Finding[]> {
  const unregistered = (await read(reader, UNREGISTERED, [])).map(({ id }) => id);
  const lagging = await read(reader, OPEN_ROWS, []);
  return [
    ...unregistered.map((id) =>
      problem(
        CHECK,
        `the writer ${id} has changes and is not registered: cursors that name it are rejected`,
        {
          statements: [
            'INSERT INTO placement_feed_writers (id, holder, started_at, expires_at) ' +
              `VALUES (${id}, 'unknown', UTC_TIMESTAMP(), UTC_TIMESTAMP())`,
          ],
        },
      ),
    ),
    ...lagging.map(({ id, amount }) =>
      warning(
        CHECK,
        `the writer ${id} has ${amount} changes above its low-watermark, which every query reads again`,
        {
          change: 'find its transaction that does not end (SHOW PROCESSLIST)',
        },
      ),
    ),
  ];
}

async function findUnpruned(reader: Queryable, oldest: number): Promise<Finding[]> {
  if (oldest < 60 * (PRUNED_MINUTES + FEED_MINUTES)) return [];
  const lasting = await read(reader, LASTING, []);
  if (lasting.length === 0) return []; // the next server that starts removes them
  return [
    warning(
      CHECK,
      `its oldest change is ${Math.round(oldest / 60)} minutes old, though a server runs that should have removed it`,
      {
        change: 'look for "keeping the snapshot up" in the log of the servers, and start them again',
      },
    ),
  ];
}
