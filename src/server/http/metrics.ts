import type { FastifyReply } from 'fastify';
import type { Report } from '../../runtime/report.js';
import { CONTENT_TYPE, type Metrics } from '../../telemetry/metrics/metrics.js';

/** Answers with the figures of the process for Prometheus; 503 where those of other workers could not be had. */
export async function answerMetrics(
  metrics: Metrics,
  report: Report,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store').type(CONTENT_TYPE);
  try {
    return reply.send(await metrics.text());
  } catch (error) {
    report(error, 'answering /metrics');
    return reply.code(503).send();
  }
}
