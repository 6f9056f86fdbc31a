import type { FastifyReply } from 'fastify';
import { unavailability } from '../../database/cluster/availability.js';
import { reason } from '../../database/failures.js';
import type { Process } from '../../process/process.js';
import { within } from '../../runtime/waiting.js';
import type { ServerLife } from './serverLife.js';

/** To a load balancer, a database that takes longer than this to answer is not available. */
const TIMEOUT_MS = 2_000;

/** Answers 200: this process lives. */
export function answerLiveness(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').send({ status: 'ok' });
}

/**
 * Answers 200 when this process can serve, which takes a database that reads and writes; otherwise, and before it serves and from when
 * it is told to stop, 503 with the reason. Tells how often it has loaded the whole snapshot.
 */
export async function answerReadiness(
  { database, snapshots: { fullLoads } }: Process,
  life: ServerLife,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  const { unready } = life;
  if (unready !== null) return reply.code(503).send(unready);
  const checked = within(TIMEOUT_MS, 'the database does not answer', unavailability(database.probe));
  const problem = await checked.catch(reason);
  const state = problem === null ? { status: 'ok' } : { status: 'database unavailable', reason: problem };
  return reply.code(problem === null ? 200 : 503).send({ ...state, fullLoads });
}
