import { sql } from 'kysely';
import { ok, problem, warning, type Finding } from '../database/diagnosis/finding.js';
import { execute, tables, type Queryable } from '../database/statements.js';
import { FEED_MINUTES } from './writer.js';

const CHECK = 'change feed';

/** With more rows than this every process takes long to start. */
const MANY_ROWS = 1_000_000;
/** A writer should not have more open rows than this: every freshness check reads them again. */
const MANY_OPEN_ROWS = 10_000;
/** A server that has run for this long has removed the changes that were too old when it started. */
const PRUNED_MINUTES = FEED_MINUTES + 5;

const changes = tables.selectFrom('placement_feed_changes as f');
const ageOf = (time: 'MIN' | 'MAX') =>
  sql<number | null>`TIMESTAMPDIFF(SECOND, ${sql.raw(time)}(f.created_at), UTC_TIMESTAMP())`;
const count = sql<number>`COUNT(*)`;
const before = (minutes: number) => sql<string>`UTC_TIMESTAMP() - INTERVAL ${sql.lit(minutes)} MINUTE`;

const SUMS = changes.select([count.as('amount'), ageOf('MIN').as('oldest'), ageOf('MAX').as('newest')]);
const UNREGISTERED = changes
  .leftJoin('placement_feed_writers as w', 'w.id', 'f.writer_id')
  .where('w.id', 'is', null)
  .select('f.writer_id as id')
  .distinct()
  .orderBy('f.writer_id');
/** Writers that have written lately and have run for long enough to have pruned the feed. */
const LASTING = changes
  .innerJoin('placement_feed_writers as w', 'w.id', 'f.writer_id')
  .where('f.created_at', '>', before(5))
  .where('w.started_at', '<', before(PRUNED_MINUTES))
  .select('f.writer_id as id')
  .distinct();
const OPEN_ROWS = tables
  .selectFrom(
    tables
      .selectFrom('placement_feed_changes')
      .select(({ fn }) => ['writer_id', fn.max('low_watermark').as('low_watermark')])
      .groupBy('writer_id')
      .as('m'),
  )
  .innerJoin('placement_feed_changes as f', (join) =>
    join.onRef('f.writer_id', '=', 'm.writer_id').onRef('f.seq', '>=', 'm.low_watermark'),
  )
  .select(['f.writer_id as id', count.as('amount')])
  .groupBy('f.writer_id')
  .having(count, '>', MANY_OPEN_ROWS);

export async function checkFeed(reader: Queryable): Promise<Finding[]> {
  const [{ amount, oldest, newest }] = await execute(reader, SUMS);
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
  if (amount > MANY_ROWS)
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
  const unregistered = (await execute(reader, UNREGISTERED)).map(({ id }) => id);
  const lagging = await execute(reader, OPEN_ROWS);
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
  const lasting = await execute(reader, LASTING);
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
