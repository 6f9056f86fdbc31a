import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { Claims } from '../claims.js';
import { interleavedRates, timed, type Load, type Work } from '../measure.js';
import { logProgress } from '../progress.js';
import { claimOf, fleetRequests, type FleetQuery } from '../requests.js';
import { perSecond, referenceClaims, restClaim, timesRow, type Beside, type Row } from './rows.js';
import { restQuery } from './restQuery.js';

/** Sends a request to one of the programs. Returns its body. */
type Send = (method: string, path: string, body?: object) => Promise<unknown>;

const CLIENTS = 16;

const SEARCHES: readonly (readonly [query: FleetQuery, limit: number, what: string])[] = [
  ['q1', 10, 'candidates, limit 10'],
  ['q1', 1_000, 'candidates, limit 1,000'],
  ['q2', 10, 'candidates with a trait in a zone'],
  ['q5', 10, 'candidates of more than any host has'],
];

/** Measures the REST API of this server and OpenStack Placement in turn, on one database. */
export async function restRows(programs: Beside): Promise<Row[]> {
  const { server, reference, repetitions } = programs;
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const own = senderTo(server.url.replace(/graphql$/, 'placement'), agent);
  const other: Send = async (method, path, body) => {
    const answer = await reference.send(method, path, body);
    return checked(answer.status, answer.body, `${method} ${path}`);
  };
  const rows: Row[] = [];
  for (const [query, limit, what] of SEARCHES) {
    logProgress(`both programs over REST: ${what}`);
    const path = `/allocation_candidates?${restQuery(fleetRequests(programs.targets)[query])}&limit=${limit}`;
    rows.push(
      await timesRow(
        what,
        () => own('GET', path),
        () => other('GET', path),
        repetitions,
      ),
    );
  }
  logProgress('both programs over REST: claims and reads');
  rows.push(...(await claimRows(programs, own)));
  rows.push(...(await readRows(programs, own, other)));
  logProgress('both programs over REST: a tree');
  rows.push(await treeRow(own, other, repetitions));
  agent.destroy();
  return rows;
}

function senderTo(url: string, agent: Agent): Send {
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = {
        'openstack-api-version': 'placement 1.39',
        ...(body && { 'content-type': 'application/json' }),
      };
      const sent = httpRequest(url + path, { method, headers, agent }, (response) => {
        text(response)
          .then((said) =>
            checked(response.statusCode!, said === '' ? null : JSON.parse(said), `${method} ${path}`),
          )
          .then(resolve, reject);
      });
      sent.on('error', reject).end(body && JSON.stringify(body));
    });
}

function checked(status: number, body: unknown, what: string): unknown {
  if (status < 300) return body;
  throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
}

/** Compares claims over REST with Placement's, and with those of the GraphQL API. */
async function claimRows({ server, reference, targets, repetitions }: Beside, own: Send): Promise<Row[]> {
  const graphql = new Claims(server.url, targets.nodes, CLIENTS);
  const consumers: string[] = [];
  let next = 0;
  const claim = timed(async () => {
    const consumer = randomUUID();
    const provider = targets.nodes[next++ % targets.nodes.length];
    await own('PUT', `/allocations/${consumer}`, restClaim(claimOf(consumer, provider)));
    consumers.push(consumer);
  });
  const cleanUp = async (): Promise<void> => {
    for (const consumer of consumers.splice(0)) await own('DELETE', `/allocations/${consumer}`);
  };
  const loads: Load[] = [
    { clients: Array.from({ length: CLIENTS }, () => claim), cleanUp },
    referenceClaims(reference, targets.nodes),
    graphql.load((all) => graphql.release(all)),
  ];
  const [here, there, overGraphQL] = await interleavedRates(loads, 15 * repetitions);
  graphql.close();
  const row = (what: string, one: number, two: number): Row => ({
    what,
    times: one / two,
    here: perSecond(one),
    there: perSecond(two),
  });
  return [
    row(`PUT /allocations of one consumer, ${CLIENTS} clients`, here.perSecond, there.perSecond),
    row('the same beside setAllocations over GraphQL here', here.perSecond, overGraphQL.perSecond),
  ];
}

async function readRows({ targets, repetitions }: Beside, own: Send, other: Send): Promise<Row[]> {
  const [node] = targets.nodes;
  const consumer = randomUUID();
  await own('PUT', `/allocations/${consumer}`, restClaim(claimOf(consumer, node)));
  const provider = (): string =>
    `/resource_providers/${targets.nodes[Math.floor(Math.random() * targets.nodes.length)]}`;
  const reads: readonly (readonly [what: string, path: () => string])[] = [
    ["GET of a provider's inventories", () => `${provider()}/inventories`],
    ["GET of a provider's usages", () => `${provider()}/usages`],
    ["GET of a provider's traits", () => `${provider()}/traits`],
    ['GET /allocations/{uuid}', () => `/allocations/${consumer}`],
  ];
  const rows: Row[] = [];
  for (const [what, path] of reads) {
    const loads = [own, other].map((send): Load => {
      const read: Work = timed(() => send('GET', path()));
      return { clients: Array.from({ length: CLIENTS }, () => read) };
    });
    const [here, there] = await interleavedRates(loads, 5 * repetitions);
    rows.push({
      what: `${what}, ${CLIENTS} clients`,
      times: here.perSecond / there.perSecond,
      here: perSecond(here.perSecond),
      there: perSecond(there.perSecond),
    });
  }
  await own('DELETE', `/allocations/${consumer}`);
  return rows;
}

const PROVIDERS_OF_TREE = 20;

interface Listed {
  readonly resource_providers: readonly { readonly uuid: string }[];
}

/** Compares the requests of Nova's report client for a tree: it reads all parts, and writes changed inventories. */
async function treeRow(own: Send, other: Send, repetitions: number): Promise<Row> {
  const uuids = Array.from({ length: PROVIDERS_OF_TREE }, () => randomUUID());
  const [root] = uuids;
  for (const uuid of uuids)
    await own('POST', '/resource_providers', {
      name: `bench-${uuid}`,
      uuid,
      parent_provider_uuid: uuid === root ? null : root,
    });
  let total = 0;
  const update = async (send: Send): Promise<void> => {
    total++;
    const { resource_providers: listed } = (await send(
      'GET',
      `/resource_providers?in_tree=${root}`,
    )) as Listed;
    for (const { uuid } of listed) {
      const path = `/resource_providers/${uuid}`;
      const found = (await send('GET', `${path}/inventories`)) as { resource_provider_generation: number };
      await send('GET', `${path}/aggregates`);
      await send('GET', `${path}/traits`);
      const { resource_provider_generation } = found;
      const inventories = { VCPU: { total }, MEMORY_MB: { total: 1_024 } };
      await send('PUT', `${path}/inventories`, { resource_provider_generation, inventories });
    }
  };
  try {
    return await timesRow(
      `an update of a tree of ${PROVIDERS_OF_TREE} providers`,
      () => update(own),
      () => update(other),
      repetitions,
    );
  } finally {
    for (const uuid of uuids.toReversed()) await own('DELETE', `/resource_providers/${uuid}`);
  }
}
