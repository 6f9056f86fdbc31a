import { afterAll, beforeAll } from '@jest/globals';
import { useApi } from '../support/api.js';
import type { TestDatabase } from '../support/database.js';
import { Client, endOf } from './client.js';

/** A database, and clients of two servers on it. */
export interface TwoServers {
  readonly database: TestDatabase;
  readonly clients: readonly Client[];
}

/**
 * Starts a database and two servers in this process for the tests of a file. The servers share only the event loop.
 * At the end they must have logged no problem.
 */
export function twoServers(): TwoServers {
  const clients: Client[] = [];
  afterAll(() => {
    for (const client of clients) client.close();
  });
  const { database, api, other } = useApi({ hasOther: true });
  beforeAll(() => {
    for (const { url } of [api, other]) clients.push(new Client(url));
  });
  return { database, clients };
}

/**
 * Sends one mutation for each input, all at once and in turn through either server. Returns the
 * number of each end.
 */
export async function race(
  { clients }: TwoServers,
  field: string,
  inputs: readonly object[],
): Promise<Record<string, number>> {
  const outcomes = await Promise.all(
    inputs.map((input, n) => clients[n % clients.length].mutate(field, input, '__typename')),
  );
  const count: Record<string, number> = {};
  for (const end of outcomes.map(endOf)) count[end] = (count[end] ?? 0) + 1;
  return count;
}
