import { randomUUID } from 'node:crypto';
import type { Client } from '../client.js';
import { CANDIDATES, claimInput, fleetInputs } from '../requests.js';
import type { FleetTargets } from '../targets.js';

const CLAIM = `mutation ($input: ClaimInput!) {
  claim(input: $input) { __typename ... on UserError { message } }
}`;

const RELEASE = `mutation ($input: DeleteConsumerInput!) {
  deleteConsumer(input: $input) { __typename ... on UserError { message } }
}`;

/** The query with which a dashboard shows the fleet. */
const OVERVIEW = `{
  fleetTotals { nodes { resourceClass { name } capacity used } }
  resourceProviders(
    filter: { rootsOnly: true }
    orderBy: { treeUtilization: { resourceClass: "VCPU", direction: DESC } }
    first: 10
  ) { nodes { uuid name treeTotals(resourceClass: "VCPU") { capacity used } } }
}`;

const HEADROOM = `query ($request: AllocationCandidatesInput!) {
  headroom(request: $request, upTo: 100) { count }
}`;

/**
 * The number of operations of each kind in a hundred. The rest are claims and releases in turn, so
 * that the usage of the fleet does not change.
 */
const SEARCHES = 60;
const OVERVIEWS = 5;
const HEADROOMS = 1;

/**
 * The operations of a cloud in service: mostly searches, claims and releases, and a few queries of
 * dashboards.
 */
export class Mix {
  private readonly held: string[] = [];
  private readonly requests: ReturnType<typeof fleetInputs>;
  private sent = 0;

  constructor(targets: FleetTargets) {
    this.requests = fleetInputs(targets);
  }

  /** Sends the next operation and returns its time (ms). @throws Error for an unexpected answer */
  async next(client: Client): Promise<number> {
    const at = (this.sent++ * 37) % 100; // mixes all kinds evenly
    if (at < SEARCHES) {
      const request = this.requests[at % 2 === 0 ? 'q1' : 'q2'];
      return read(client, CANDIDATES, { request: request, limit: 10 });
    }
    if (at < SEARCHES + OVERVIEWS) return read(client, OVERVIEW);
    if (at < SEARCHES + OVERVIEWS + HEADROOMS) return read(client, HEADROOM, { request: this.requests.q1 });
    return at % 2 === 0 ? this.claim(client) : this.release(client);
  }

  /** Releases all remaining claims. */
  async end(client: Client): Promise<void> {
    while (this.held.length > 0) await this.release(client);
  }

  private async claim(client: Client): Promise<number> {
    const consumer = randomUUID();
    const owner = { projectId: 'project-01', userId: 'user-01', type: 'INSTANCE' };
    const input = claimInput(this.requests.q1, [{ consumer, ...owner }]);
    const ms = await write(client, CLAIM, input, 'ClaimPayload');
    this.held.push(consumer);
    return ms;
  }

  private async release(client: Client): Promise<number> {
    const consumer = this.held.shift();
    if (consumer === undefined) return this.claim(client);
    return write(client, RELEASE, { consumer }, 'DeleteConsumerPayload');
  }
}

async function read(client: Client, document: string, variables?: object): Promise<number> {
  const { ms, text } = await client.send(document, variables);
  const answer = text();
  if (answer.includes('"errors"')) throw new Error(answer.slice(0, 500));
  return ms;
}

async function write(client: Client, document: string, input: object, payload: string): Promise<number> {
  const { ms, text } = await client.send(document, { input });
  if (!text().includes(payload)) throw new Error(text().slice(0, 500));
  return ms;
}
