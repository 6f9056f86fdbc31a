import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { timestampOf } from '../../src/store/sql/statements.js';
import { apiAt, type Answer } from '../support/api.js';
import { takes } from '../support/claims.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { programEnvironment } from '../support/environment.js';
import { ServerProcess } from '../support/serverProcess.js';

const TZ = 'America/New_York';

/** The last change is none of usage, with which the list of providers does not renew `updatedAt`. */
const WRITE = `mutation ($uuid: UUID!, $name: String!, $consumer: ConsumerAllocationsInput!) {
  createResourceProvider(input: { uuid: $uuid, name: $name, inventories: { resourceClass: "VCPU", total: 8 } }) { __typename }
  setAllocations(input: { consumers: [$consumer] }) { __typename }
  updateResourceProvider(input: { resourceProvider: { uuid: $uuid }, inventories: { add: { resourceClass: "PCPU", total: 8 } } }) {
    __typename
  }
}`;
const READ = `query ($uuid: UUID!, $name: String!) {
  resourceProvider(by: { uuid: $uuid }) { createdAt updatedAt allocations { nodes { consumer { createdAt } } } }
  resourceProviders(filter: { name: $name }) { nodes { createdAt updatedAt } }
}`;
/** The latest times that each source has written, compared by the database itself with its own clock. */
const STORED = `SELECT p.created_at, p.updated_at, c.created_at AS consumer_at,
  ABS(TIMESTAMPDIFF(SECOND, p.created_at, UTC_TIMESTAMP())) AS age
  FROM resource_providers p JOIN allocations a ON a.resource_provider_id = p.id
  JOIN consumers c ON c.uuid = a.consumer_id WHERE p.uuid = ?`;

interface Subject {
  readonly uuid: string;
  readonly name: string;
  readonly consumer: object;
}

/** A provider to be written, and its consumer. */
function subject(name: string): Subject {
  const uuid = randomUUID();
  return { uuid, name, consumer: takes(randomUUID(), null, { [uuid]: { VCPU: 1 } }) };
}

/** Documents, each about a subject. */
type Work = readonly (readonly [document: string, variables: Subject])[];

let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  database = await testDatabase();
  server = await ServerProcess.start(database.url, 256, { TZ });
});
afterAll(async () => {
  await server?.stop();
  await database.close();
});

const SCRIPT = `
  import { createPlacement } from 'placement-graphql';
  const { url, work } = JSON.parse(process.argv[1]);
  const placement = createPlacement({ databaseUrl: url });
  const answers = [];
  for (const [document, variables] of work) answers.push(await placement.execute({ document, variables }));
  await placement.close();
  const noon = new Date(2026, 6, 1, 12).toISOString();
  console.log(JSON.stringify({ answers, TZ: process.env.TZ, noon }));
`;

async function viaLibrary(work: Work): Promise<Answer<unknown>[]> {
  const options = ['--input-type=module', '-e', SCRIPT, JSON.stringify({ url: database.url, work })];
  const env = { ...programEnvironment(), TZ };
  const { stdout } = await promisify(execFile)(process.execPath, options, { env, timeout: 60_000 });
  const { answers, ...zone } = JSON.parse(stdout) as { answers: Answer<unknown>[] };
  expect(zone).toEqual({ TZ, noon: '2026-07-01T16:00:00.000Z' });
  return answers;
}

async function viaServer(work: Work): Promise<Answer<unknown>[]> {
  const answers: Answer<unknown>[] = [];
  for (const [document, variables] of work) answers.push(await apiAt(server.url).query(document, variables));
  return answers;
}

/** Expects answers to READ to have the times that the database has. */
async function expectStored({ uuid }: Subject, reads: readonly Answer<unknown>[]): Promise<void> {
  const [stored] = await database.pool.query<Record<string, string>[]>(STORED, [uuid]);
  expect(Number(stored.age)).toBeLessThan(600);
  const [createdAt, updatedAt, consumerAt] = ['created_at', 'updated_at', 'consumer_at'].map((column) =>
    stored[column].replace(/ (.*)/, 'T$1.000Z'),
  );
  const data = {
    resourceProvider: {
      createdAt,
      updatedAt,
      allocations: { nodes: [{ consumer: { createdAt: consumerAt } }] },
    },
    resourceProviders: { nodes: [{ createdAt, updatedAt }] },
  };
  expect(reads.map((answer) => answer.data)).toEqual(reads.map(() => data));
  expect(timestampOf(Date.parse(createdAt))).toBe(stored.created_at);
}

/** Also shows that the package exports `createPlacement`, and that a process ends after `close`. */
test('the server and the library write and read times in UTC in another time zone, which stays set', async () => {
  const [ofServer, ofLibrary] = [subject('the server'), subject('the library')];
  const [byServer, ownOfServer] = await viaServer([
    [WRITE, ofServer],
    [READ, ofServer],
  ]);
  const [otherOfServer, byLibrary, ownOfLibrary] = await viaLibrary([
    [READ, ofServer],
    [WRITE, ofLibrary],
    [READ, ofLibrary],
  ]);
  const [otherOfLibrary] = await viaServer([[READ, ofLibrary]]);
  for (const written of [byServer, byLibrary]) expect(JSON.stringify(written)).not.toContain('Error');
  await expectStored(ofServer, [ownOfServer, otherOfServer]);
  await expectStored(ofLibrary, [ownOfLibrary, otherOfLibrary]);
});
