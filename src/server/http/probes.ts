import type { FastifyInstance } from 'fastify';
import type { Authenticator } from '../../authentication/authenticator.js';
import type { Process } from '../../process/process.js';
import { scopesOf } from '../../schema/access/rules.js';
import { identify } from './authentication.js';
import { answerLiveness, answerReadiness } from './health.js';
import { sendError, type HttpError } from './httpError.js';
import { answerMetrics } from './metrics.js';
import type { ServerLife } from './serverLife.js';

/** What load balancers and orchestrators ask. */
export function addProbes(app: Pick<FastifyInstance, 'get'>, process: Process, life: ServerLife): void {
  app.get('/livez', (_request, reply) => answerLiveness(reply));
  for (const path of ['/readyz', '/healthz'])
    app.get(path, (_request, reply) => answerReadiness(process, life, reply));
}

/** What Prometheus asks, for those who may read everything. */
export function addMetrics(
  app: Pick<FastifyInstance, 'get'>,
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
    handler: (_request, reply) => answerMetrics(metrics, report, reply),
  });
}

const METRICS_FORBIDDEN: HttpError = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'The figures take the role admin or service, or reader of the whole cloud.',
};
