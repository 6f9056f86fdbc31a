import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Authenticator } from '../authentication/authenticator.js';
import { unavailability } from '../../store/database/cluster/availability.js';
import { refusal } from '../../store/database/failures.js';
import type { Process } from '../process.js';
import { TimedOut, within } from '../../model/operation/waiting.js';
import { scopesOf } from '../../api/access/rules.js';
import { CONTENT_TYPE } from '../telemetry/telemetry.js';
import { identify } from './authentication.js';
import { sendError, type HttpError } from './httpError.js';
import type { ServerLife } from './httpServer.js';

/** The timeout after which the database counts as unavailable (ms). */
const TIMEOUT_MS = 2_000;

/** If the event loop was idle for a smaller share of a failed check, the server itself may have caused the failure. */
const BUSY = 0.9;

/** How long the result of a database check is cached (ms), so that many probes cause one check. */
const FRESH_MS = 1_000;

const METRICS_FORBIDDEN: HttpError = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'Metrics require the role admin or service, or reader without a project.',
};

type Routes = Pick<FastifyInstance, 'get'>;

/**
 * Adds the probes of load balancers and orchestrators. `/livez` answers 200 while the process runs.
 * `/readyz` answers 200 if the server serves and its database can read and write. Otherwise, for
 * example while the server starts or stops, it answers 503 with the reason.
 */
export function addProbes(app: Routes, process: Process, life: ServerLife): void {
  const send = (reply: FastifyReply, code: 200 | 503, state: object): FastifyReply =>
    reply.header('cache-control', 'no-store').code(code).send(state);
  const problemOf = readiness(process);
  app.get('/livez', (_request, reply) => send(reply, 200, { status: 'ok' }));
  for (const path of ['/readyz', '/healthz'])
    app.get(path, async (_request, reply) => {
      if (life.unready !== null) return send(reply, 503, life.unready);
      const reason = await problemOf();
      const { fullLoads } = process.snapshots;
      if (reason === null) return send(reply, 200, { status: 'ok', fullLoads });
      return send(reply, 503, { status: 'database unavailable', reason, fullLoads });
    });
}

/** Returns a cached check on its own connection. Its result is null if the database is ready. */
function readiness({ database, report }: Process): () => Promise<string | null> {
  let checkedAt = -Infinity;
  let result: Promise<string | null>;
  const failed = (error: unknown, before: EventLoopUtilization): string => {
    report(error, 'checking the database for /readyz'); // the message may contain account names
    const { utilization } = performance.eventLoopUtilization(before);
    const isLate = error instanceof TimedOut || refusal(error) !== null;
    return isLate && utilization > BUSY
      ? 'the server is too busy to ask the database'
      : 'the database does not answer';
  };
  return () => {
    if (performance.now() - checkedAt > FRESH_MS) {
      checkedAt = performance.now();
      const before = performance.eventLoopUtilization();
      const check = within(TIMEOUT_MS, 'no answer in time', unavailability(database.probe));
      result = check.catch((error: unknown) => failed(error, before));
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
