import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Client } from '../../model/operation/client.js';
import { scopesOf } from '../../api/access/rules.js';

/** The status, in logs and metrics, of an operation whose client left before its answer. */
export const CLIENT_LEFT = 499;

/** Returns the user of the credentials, or the address if authentication is disabled. */
export function clientOf({ viewer, ip }: FastifyRequest): Client {
  return viewer ? { id: viewer.userId, isExempt: scopesOf(viewer).writer } : { id: ip, isExempt: false };
}

export function isClosed(response: ServerResponse): boolean {
  return response.closed || response.destroyed;
}
