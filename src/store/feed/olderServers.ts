import { sql } from 'kysely';
import { ok, warning, type Finding } from '../finding.js';
import { read, statement, tables, type Queryable, type Statement } from '../sql/statements.js';
import { OlderServer } from '../../model/rejections.js';
import type { Log } from '../../model/observation.js';

/**
 * The features that servers of version 1.0 lack, with the table that has rows while the feature is in use. The row of
 * such a server in placement_feed_writers has no version. A feature of a later release must compare versions here.
 */
const REPORTED = {
  holds: 'placement_holds',
  quotas: 'placement_quotas',
  partitions: 'placement_consumptions',
  'remembered requests': 'placement_consumer_requests',
} as const;

/** The features whose first use is rejected beside such a server. Its claims only leave requests unremembered. */
const FEATURES = {
  holds: REPORTED.holds,
  quotas: REPORTED.quotas,
  partitions: REPORTED.partitions,
} as const;

const FEATURE_LIST = new Intl.ListFormat('en-GB');

type Feature = keyof typeof FEATURES;
const NAMES = Object.keys(FEATURES) as Feature[];

const WRITERS = tables.selectFrom('placement_feed_writers').where(sql<boolean>`expires_at > UTC_TIMESTAMP()`);
const OLDER = WRITERS.where('version', 'is', null).select('holder').orderBy('holder');

const unless = (table: (typeof FEATURES)[Feature]): Statement<{ readonly holder: string }> =>
  statement(OLDER.where(sql<boolean>`NOT EXISTS (SELECT 1 FROM ${sql.table(table)})`));
const BEFORE_FIRST_USE = Object.fromEntries(NAMES.map((name) => [name, unless(FEATURES[name])]));

const SERVERS = statement(WRITERS.select(['holder', 'version']).orderBy('holder'));
const IN_USE: Statement<{ readonly feature: keyof typeof REPORTED }> = {
  text: Object.entries(REPORTED)
    .map(([name, table]) => `SELECT '${name}' AS feature FROM DUAL WHERE EXISTS (SELECT 1 FROM ${table})`)
    .join(' UNION ALL '),
};

/**
 * Rejects the first use of a feature while a server of version 1.0 may write. A feature in use stays usable if such a
 * server starts later, which {@link OlderServersJob} and `doctor` report.
 *
 * @throws OlderServer
 */
export async function checkServersKnow(reader: Queryable, feature: Feature): Promise<void> {
  const older = await read(reader, BEFORE_FIRST_USE[feature], []);
  if (older.length > 0)
    throw new OlderServer(
      feature,
      older.map(({ holder }) => holder),
    );
}

/** Returns the servers of version 1.0, and the features in use that they lack; no servers if there is no such feature. */
async function olderBesideFeatures(reader: Queryable) {
  const [inUse, servers] = await Promise.all([read(reader, IN_USE, []), read(reader, SERVERS, [])]);
  const features = FEATURE_LIST.format(inUse.map(({ feature }) => feature));
  const older = servers.flatMap(({ holder, version }) => (version === null ? [holder] : []));
  return { features, servers, older: features === '' ? [] : older };
}

const CHECK = 'versions of servers';
const CHANGE =
  'upgrade or stop the servers of version 1.0: their writes end holds, are not checked against quotas, do not count ' +
  'what partitions consume, and remember no requests';

/** Reports servers of version 1.0 beside features that they lack. */
export async function checkServerVersions(reader: Queryable): Promise<Finding[]> {
  const { features, servers, older } = await olderBesideFeatures(reader);
  if (older.length > 0) {
    const found = `${features} are in use, and servers of version 1.0 write: ${older.join(', ')}`;
    return [warning(CHECK, found, CHANGE)];
  }
  const versions = [...new Set(servers.map(({ version }) => version ?? '1.0'))].sort().join(' and ');
  return servers.length === 0 ? [] : [ok(CHECK, `${versions} (${servers.length} processes)`)];
}

/** Logs each server of version 1.0 that runs beside features that it lacks, once. */
export class OlderServersJob {
  readonly name = 'comparing the versions of servers';
  readonly pause = 15_000;
  private readonly logged = new Set<string>();

  constructor(
    private readonly reader: Queryable,
    private readonly log: Log,
  ) {}

  async step(): Promise<number> {
    const { features, older } = await olderBesideFeatures(this.reader);
    for (const holder of older) {
      if (this.logged.has(holder)) continue;
      this.logged.add(holder);
      this.log.warn({ holder }, `${holder} is of version 1.0, which lacks ${features}: upgrade or stop it`);
    }
    return this.pause;
  }
}
