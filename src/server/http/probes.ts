import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Authenticator } from '../../authentication/authenticator.js';
import { unavailability } from '../../database/cluster/availability.js';
import type { Process } from '../../process/process.js';
import { within } from '../../runtime/waiting.js';
import { scopesOf } from '../../schema/access/rules.js';
import { CONTENT_TYPE } from '../../telemetry/metrics/metrics.js';
import { identify } from './authentication.js';
import { sendError, type HttpError } from './httpError.js';
import type { ServerLife } from './serverLife.js';

/** A database that takes longer than this to answer is not available (ms). */
const TIMEOUT_MS = 2_000;

/** How long the result of a check of the database is used (ms): many probes cost no more than one. */
const FRESH_MS = 1_000;

const METRICS_FORBIDDEN: HttpError = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'Metrics require the role admin or service, or reader without a project.',
};

type Routes = Pick<FastifyInstance, 'get'>;

/**
 * Adds the probes of load balancers and orchestrators. `/livez` answers 200 as long as the process
 * lives. `/readyz` answers 200 if the server can serve, which requires a database that reads and
 * writes; otherwise, and while the server starts or stops, 503 with the reason.
 */
export function addProbes(app: Routes, process: Process, life: ServerLife): void {
  const uncached = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-store');
  const problemOf = readiness(process);
  app.get('/livez', (_request, reply) => uncached(reply).send({ status: 'ok' }));
  for (const path of ['/readyz', '/healthz'])
    app.get(path, async (_request, reply) => {
      const { unready } = life;
      if (unready !== null) return uncached(reply).code(503).send(unready);
      const problem = await problemOf();
      const state = problem === null ? { status: 'ok' } : { status: 'database unavailable', reason: problem };
      const { fullLoads } = process.snapshots;
      return uncached(reply)
        .code(problem === null ? 200 : 503)
        .send({ ...state, fullLoads });
    });
}

/** Checks at most once per second, on its own connection, why the database is unavailable; null: it is available. */
function readiness({ database, report }: Process): () => Promise<string | null> {
  let checkedAt = -Infinity;
  let result: Promise<string | null>;
  const failed = (error: unknown): string => {
    report(error, 'checking the database for /readyz'); // its message may name accounts and addresses
    return 'the database does not answer';
  };
  return () => {
    if (performance.now() - checkedAt > FRESH_MS) {
      checkedAt = performance.now();
      result = within(TIMEOUT_MS, 'no answer in time', unavailability(database.probe)).catch(failed);
    }
    return result;
  };
}

/** Adds `/metrics` for Prometheus. It requires a viewer who may read everything. */
export function addMetrics(
  app: Routes,
  { telemetry, report }: Process,
  authenticator: Authenticator | null,
): void {
  const metrics = telemetry?.metrics;
  if (!metrics) return;
  app.get('/metrics', {
    onRequest(request, reply, done) {
      if (authenticator === null) return done();
      identify(authenticator, request, (failure) => {
        if (failure || scopesOf(request.viewer).reader) done(failure);
        else sendError(reply.hijack().raw, METRICS_FORBIDDEN);
      });
    },
    async handler(_request, reply) {
      reply.header('cache-control', 'no-store').type(CONTENT_TYPE);
      try {
        return await reply.send(await metrics.text());
      } catch (error) {
        report(error, 'answering /metrics');
        return reply.code(503).send();
      }
    },
  });
}
