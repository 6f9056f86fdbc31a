import type { FastifyReply } from 'fastify';
import type { Process } from '../../process/process.js';

/** To a load balancer, a database that takes longer than this to answer is not available. */
const TIMEOUT_MS = 2_000;

/** Answers 200 when the database does, otherwise 503; with how often this process has loaded the whole snapshot. */
export async function answerHealth(
  { database, snapshots: { fullLoads } }: Process,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const healthy = await Promise.race([
    database.pool.query('SELECT 1').then(
      () => true,
      () => false,
    ),
    new Promise<false>((resolve) => setTimeout(resolve, TIMEOUT_MS, false).unref()),
  ]);
  return reply
    .code(healthy ? 200 : 503)
    .header('cache-control', 'no-store')
    .send({ status: healthy ? 'ok' : 'database unavailable', fullLoads });
}
