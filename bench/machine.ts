import { cpus, loadavg, totalmem } from 'node:os';
import type { Bench } from './bench.js';

/** Returns a line with the date, the machine, its load before the measurement, and the versions. */
export async function machineLine({ database }: Pick<Bench, 'database'>): Promise<string> {
  const opened = database.open(1);
  const [{ version, pool, flush }] = await opened.pool.query<
    { version: string; pool: number; flush: number }[]
  >(
    `SELECT VERSION() AS version, @@innodb_buffer_pool_size AS pool, @@innodb_flush_log_at_trx_commit AS flush`,
  );
  await opened.close();
  const gibibytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
  return [
    new Date().toISOString().slice(0, 10),
    `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'processor'}`,
    `${gibibytes(totalmem())} of memory`,
    `load average ${loadavg()[0].toFixed(1)} before`,
    `Node ${process.versions.node}`,
    `${version} with a buffer pool of ${gibibytes(pool)} and innodb_flush_log_at_trx_commit = ${flush}`,
  ].join('; ');
}
