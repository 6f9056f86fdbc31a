import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Client } from '../../model/operation/client.js';
import { scopesOf } from '../../api/access/rules.js';
import type { Operation } from '../../model/operation/operation.js';
import type { Process } from '../process.js';
import type { OperationRecord } from '../telemetry/operationRecord.js';

/** The status, in logs and metrics, of an operation whose client left before its answer. */
const CLIENT_LEFT = 499;

/** Returns the user of the credentials, or the address if authentication is disabled. */
export function clientOf({ viewer, ip }: FastifyRequest): Client {
  return viewer ? { id: viewer.userId, isExempt: scopesOf(viewer).writer } : { id: ip, isExempt: false };
}

export function isClosed(response: ServerResponse): boolean {
  return response.closed || response.destroyed;
}

interface Begun {
  readonly operation: Operation;
  /** Undefined if nothing is logged, counted or traced. */
  readonly record: OperationRecord | undefined;
}

/** Begins the operation of a request. It ends when the response closes, at the latest. */
export function beginOperation(
  { telemetry, operations }: Process,
  { raw, viewer }: Pick<FastifyRequest, 'viewer'> & { readonly raw: IncomingMessage },
  response: ServerResponse,
  requestId: string,
  client: Client,
): Begun {
  const record = telemetry?.begin(requestId, raw.headers);
  if (record && viewer) record.user = viewer.userId;
  const operation = operations.begin(record?.activity, client);
  response.once('close', () => {
    operation.end();
    if (record === undefined) return;
    if (!response.headersSent) record.answer(CLIENT_LEFT);
    telemetry?.end(record);
  });
  return { operation, record };
}
