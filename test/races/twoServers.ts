import { afterAll, beforeAll } from '@jest/globals';
import { useApi } from '../support/api.js';
import type { takes } from '../support/claims.js';
import type { TestDatabase } from '../support/database.js';
import type { RestRequest } from '../support/httpPost.js';
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

/** Returns the request of the REST API that does the same as setAllocations. */
function restRequestOf(input: object): RestRequest {
  const { consumers } = input as { consumers: readonly ReturnType<typeof takes>[] };
  const bodies = consumers.map(({ consumer, generation, projectId, userId, allocations }) => {
    const byProvider = allocations.providers.map(({ resourceProvider: { uuid }, resources }) => {
      const all = resources.map(({ resourceClass, amount }) => [resourceClass, amount]);
      return [uuid, { resources: Object.fromEntries(all) as object }];
    });
    const owner = { project_id: projectId, user_id: userId, consumer_generation: generation };
    return [consumer, { allocations: Object.fromEntries(byProvider) as object, ...owner }];
  });
  return { method: 'POST', path: '/allocations', body: Object.fromEntries(bodies) as object, version: 37 };
}

/**
 * Sends one mutation for each input, all at once and in turn through either server. Returns the
 * number of each end. setAllocations goes over REST as often as over GraphQL.
 */
export async function race(
  { clients }: TwoServers,
  field: string,
  inputs: readonly object[],
): Promise<Record<string, number>> {
  const outcomes = await Promise.all(
    inputs.map((input, n) => {
      const client = clients[n % clients.length];
      const isRest = field === 'setAllocations' && n % 4 > 1;
      return isRest ? client.rest(restRequestOf(input)) : client.mutate(field, input, '__typename');
    }),
  );
  const count: Record<string, number> = {};
  for (const end of outcomes.map(endOf)) count[end] = (count[end] ?? 0) + 1;
  return count;
}
