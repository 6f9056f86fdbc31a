import { randomUUID } from 'node:crypto';
import { MINIMAL, type Answer, type Client } from '../client.js';
import { lists } from '../lists.js';
import { amounts, CANDIDATES, claimInput, FLEET_QUERIES, fleetInputs, OWNER } from '../requests.js';
import type { FleetTargets } from '../targets.js';

/** An operation of a client. */
export interface Operation {
  readonly what: string;
  /** The answer contains errors if the server does not support the operation. */
  readonly ask: (client: Client) => Promise<Answer>;
  /** Reverts the effects of `ask`. Its time does not count. */
  readonly cleanUp?: (client: Client) => Promise<unknown>;
}

/** Returns the usual operations: searches, lists and a claim. */
export function operationsOn(targets: FleetTargets): Operation[] {
  const requests = fleetInputs(targets);
  return [
    { what: MINIMAL, ask: (client) => client.send(MINIMAL) },
    ...FLEET_QUERIES.flatMap((query) =>
      [10, 1000].map((limit) => ({
        what: `${query}, limit ${limit}`,
        ask: (client: Client) => client.send(CANDIDATES, { request: requests[query], limit }),
      })),
    ),
    ...lists(targets).map(({ what, query }) => ({
      what,
      ask: (client: Client) => client.send(`{ ${query} }`),
    })),
    claim(),
  ];
}

/** Searches and claims a candidate. */
function claim(): Operation {
  const consumer = randomUUID();
  return {
    what: 'a search and claim',
    ask: (client) =>
      client.send('mutation ($input: ClaimInput!) { claim(input: $input) { __typename } }', {
        input: claimInput({ groups: [{ resources: amounts({ VCPU: 1 }) }] }, [
          { consumer, ...OWNER, type: 'INSTANCE' },
        ]),
      }),
    cleanUp: (client) => client.change('deleteConsumer', { consumer }),
  };
}
