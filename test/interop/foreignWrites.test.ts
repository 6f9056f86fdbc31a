import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adopt } from '../../src/tools/adoption/adopt.js';
import { Client } from '../races/client.js';
import { startBinaryLogServer } from '../support/binaryLogServer.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { ServerProcess } from '../support/serverProcess.js';
import { Reference } from '../../bench/beside/reference.js';

/**
 * Measures how soon this server answers from the writes of OpenStack Placement: requests candidates, which come from the snapshot,
 * until they contain the write.
 */

const START = 120_000;
const HEAP_MIB = 512;
const ROUNDS = 3;
/** Much more than the documented time, because the machine may be busy. The test prints the measured time. */
const LONGEST_MS = 10_000;

let databaseServer: Awaited<ReturnType<typeof startBinaryLogServer>>;
let database: TestDatabase;
let reference: Reference;

beforeAll(async () => {
  databaseServer = await startBinaryLogServer();
  database = await emptyDatabase();
  reference = await Reference.start(database.url);
  await adopt(database);
}, START);
afterAll(async () => {
  await reference?.stop();
  await database?.close();
  await databaseServer?.stop();
}, START);

const QUESTION = `query ($request: AllocationCandidatesInput!) {
  allocationCandidates(request: $request) { providerSummaries { resourceProvider { uuid name } } }
}`;

/** The requested amount and conditions of one provider. */
interface Wanted {
  readonly amount?: number;
  readonly resourceClass?: string;
  readonly trait?: string;
  readonly aggregate?: string;
  readonly inTree?: string;
}

/** Returns the name of the provider if it is a candidate, otherwise null; or the error of an unknown name. */
async function ask(client: Client, uuid: string, wanted: Wanted): Promise<string | null> {
  const { amount = 1, resourceClass = 'VCPU', trait, aggregate, inTree = uuid } = wanted;
  const group = {
    resources: [{ resourceClass, amount }],
    requiredTraits: trait === undefined ? [] : [[trait]],
    memberOf: aggregate === undefined ? [] : [[{ uuid: aggregate }]],
    inTree: { uuid: inTree },
  };
  try {
    const { allocationCandidates } = await client.read<{
      allocationCandidates: { providerSummaries: { resourceProvider: { uuid: string; name: string } }[] };
    }>(QUESTION, { request: { groups: [group] } });
    const found = allocationCandidates.providerSummaries.map(({ resourceProvider }) => resourceProvider);
    return found.find((each) => each.uuid === uuid)?.name ?? null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A provider that OpenStack Placement creates and changes. */
class Host {
  readonly uuid = randomUUID();
  readonly name = `host-${this.uuid}`;
  generation = 0;

  async send(method: string, path: string, body?: unknown, version?: string): Promise<void> {
    const { status, body: answer } = await reference.send(method, path, body, version);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  }

  async create(): Promise<void> {
    await this.send('POST', '/resource_providers', { uuid: this.uuid, name: this.name });
    await this.set({ inventories: { VCPU: { total: 10 } } });
  }

  /** Sets a detail of the provider, with its generation. */
  set(detail: object): Promise<void> {
    const path = `/resource_providers/${this.uuid}/${Object.keys(detail)[0]}`;
    return this.send('PUT', path, { resource_provider_generation: this.generation++, ...detail });
  }

  update(fields: object): Promise<void> {
    return this.send('PUT', `/resource_providers/${this.uuid}`, { name: this.name, ...fields });
  }

  async claim(consumer: string, amount: number): Promise<void> {
    this.generation++;
    await this.send('PUT', `/allocations/${consumer}`, {
      allocations: { [this.uuid]: { resources: { VCPU: amount } } },
      consumer_generation: null,
      consumer_type: 'INSTANCE',
      project_id: 'p',
      user_id: 'u',
    });
  }
}

/** A write, the request for candidates, and whether its answer contains the write. */
type Step = [
  name: string,
  wanted: Wanted,
  isSeen: (answer: string | null) => boolean,
  write: () => Promise<void>,
];

function stepsOf(host: Host, parent: Host): Step[] {
  const [consumer, aggregate, older] = [randomUUID(), randomUUID(), randomUUID()];
  const suffix = host.uuid.slice(0, 8).toUpperCase();
  const [trait, resourceClass] = [`CUSTOM_T_${suffix}`, `CUSTOM_C_${suffix}`];
  const isCandidate = (answer: string | null): boolean => answer === host.name;
  const isNone = (answer: string | null): boolean => answer === null;
  const isRenamed = (answer: string | null): boolean => answer === 'renamed';
  const aggregates = `/resource_providers/${host.uuid}/aggregates`;
  return [
    ['a provider with an inventory', {}, isCandidate, () => host.create()],
    ['a claim', { amount: 8 }, isNone, () => host.claim(consumer, 4)],
    ['a release', { amount: 8 }, isCandidate, () => host.send('DELETE', `/allocations/${consumer}`)],
    ['an inventory', { amount: 20 }, isCandidate, () => host.set({ inventories: { VCPU: { total: 20 } } })],
    ['a trait that no provider has', { trait }, isNone, () => host.send('PUT', `/traits/${trait}`)],
    ["a provider's trait", { trait }, isCandidate, () => host.set({ traits: [trait] })],
    [
      'a resource class that no provider has',
      { resourceClass },
      isNone,
      () => host.send('PUT', `/resource_classes/${resourceClass}`),
    ],
    ['aggregates', { aggregate }, isCandidate, () => host.set({ aggregates: [aggregate] })],
    [
      'aggregates by microversion 1.1',
      { aggregate: older },
      isCandidate,
      () => host.send('PUT', aggregates, [aggregate, older], '1.1'),
    ],
    ['another name', {}, isRenamed, () => host.update({ name: 'renamed' })],
    [
      'another parent',
      { inTree: parent.uuid },
      isCandidate,
      () => host.update({ parent_provider_uuid: parent.uuid }),
    ],
    ['a deletion', {}, isNone, () => host.send('DELETE', `/resource_providers/${host.uuid}`)],
  ];
}

async function untilSeen(client: Client, { uuid }: Host, [name, wanted, isSeen]: Step): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const answer = await ask(client, uuid, wanted);
    const took = performance.now() - begin;
    if (isSeen(answer)) return took;
    if (took > LONGEST_MS) throw new Error(`${name} is not seen: ${answer}`);
    await sleep(5);
  }
}

const WAYS: readonly { way: string; environment: Record<string, string> }[] = [
  { way: 'by comparison, as it is without any setting', environment: {} },
  { way: 'by the binary log', environment: { PLACEMENT_FOREIGN_WRITES_BINARY_LOG: '1' } },
];

describe.each(WAYS)('what OpenStack Placement writes is seen $way', ({ environment, way }) => {
  let server: ServerProcess;
  let client: Client;

  beforeAll(async () => {
    server = await ServerProcess.start(database.url, HEAP_MIB, environment);
    client = new Client(server.url);
    await sleep(2_000);
  }, START);
  afterAll(async () => {
    client?.close();
    await server?.stop();
  }, START);

  test(
    'every kind of write',
    async () => {
      const waits = new Map<string, number[]>();
      for (let round = 0; round < ROUNDS; round++) {
        const [host, parent] = [new Host(), new Host()];
        await parent.create();
        for (const step of stepsOf(host, parent)) {
          const [name, wanted, isSeen, write] = step;
          expect([name, isSeen(await ask(client, host.uuid, wanted))]).toEqual([name, false]);
          await write();
          waits.set(name, [...(waits.get(name) ?? []), await untilSeen(client, host, step)]);
        }
      }
      const lines = Array.from(
        waits,
        ([name, times]) => `  ${name}: ${Math.max(...times).toFixed(0)} ms at most`,
      );
      process.stderr.write(`seen ${way}, after each of ${ROUNDS} writes\n${lines.join('\n')}\n`);
      expect(server.complaints).toBe('');
    },
    ROUNDS * 12 * LONGEST_MS,
  );
});
