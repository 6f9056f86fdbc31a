import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { newToken } from '../../src/server/authentication/tokens/secret.js';
import { MAX_STREAMS } from '../../src/server/graphql/eventStream.js';
import { zonesOf } from '../../src/tools/demo/fleet.js';
import { entry } from '../access/viewers.js';
import { newFile } from '../authentication/support.js';
import { subscribe, subscribeTo, type EventStream } from '../support/events.js';
import { cases } from '../support/length.js';
import { shapeUuid } from '../support/oddShapes.js';
import { attack, longAttack, attackedServer, strength } from './attackedServer.js';
import { aliases, all, ask } from './requests.js';

const [admin, expiring, revoked, member] = [newToken(), newToken(), newToken(), newToken()];
const expires = new Date(Date.now() + 3_600_000).toISOString();
const entries = [
  entry('admin', admin, { roles: ['admin'] }),
  entry('expiring', expiring, { roles: ['reader'], expires }),
  entry('member', member, { roles: ['member'], projectId: 'p' }), // which may use nothing
];
const fileOf = (tokens: readonly object[]): string => JSON.stringify({ tokens });
const file = newFile(fileOf([...entries, entry('revoked', revoked, { roles: ['reader'] })]));

const by = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

attackedServer({ environment: { PLACEMENT_TOKENS_FILE: file }, headers: by(admin) });

/** Renames a provider `times` times. Each rename is an event of every stream. */
async function write(url: string, times: number): Promise<void> {
  const query = `mutation ($input: UpdateResourceProviderInput!) { updateResourceProvider(input: $input) { __typename } }`;
  for (let turn = 0; turn < times; turn++) {
    const input = {
      resourceProvider: { uuid: shapeUuid('odd') },
      name: `odd-${turn % 2 === 0 ? 'renamed' : 0}`,
    };
    const { text } = await ask(url, query, { input }, { headers: by(admin) });
    expect(text).toContain('UpdateResourceProviderPayload');
  }
}

longAttack('thousands of event streams, and writes that all of them receive', async ({ url }) => {
  const streams = [];
  while (streams.length < strength(2_000, 600))
    streams.push(...(await all(50, () => subscribe(url, {}, undefined, by(expiring)))));
  const open = streams.filter(({ response }) => response.status === 200);
  expect(open).toHaveLength(MAX_STREAMS);
  for (const { response } of streams) expect([200, 503]).toContain(response.status);
  await write(url, strength(100, 10));
  for (const stream of open) await stream.next();
  for (const stream of streams) stream.close();
});

longAttack('event streams that are opened and closed without end', async ({ url }) => {
  for (let turn = 0; turn < strength(100, cases(20, 8)); turn++)
    for (const stream of await all(20, () => subscribe(url, {}, undefined, by(expiring)))) stream.close();
});

longAttack('10,000 large events for an expiring credential', async ({ url, pid }) => {
  const selection = `uuid resourceProvider { ${aliases(100, 'name')} }`;
  const streams = await all(50, () => subscribe(url, {}, selection, by(expiring)));
  await write(url, 10);
  const before = residentMiB(pid);
  await write(url, strength(200, 20));
  for (const stream of streams) for (let event = 0; event < 10; event++) await stream.next();
  expect(residentMiB(pid) - before).toBeLessThan(100);
  for (const stream of streams) stream.close();
});

attack('event streams of a token that is revoked', async ({ url }) => {
  const query = 'subscription { event: resourceProviderChanged { uuid } }';
  const streams = await all(strength(200, 50), () => subscribeTo(url, { query }, by(revoked)));
  writeFileSync(file, fileOf(entries));
  const began = Date.now();
  for (const stream of streams)
    expect(await stream.errors()).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  expect(Date.now() - began).toBeLessThan(8_000);
});

/** Subscribes to the totals of all hosts by tree. The filter differs for each `number`, and the totals are equal. */
function totals(url: string, number: number): Promise<EventStream<object>> {
  const zones = zonesOf(strength(10_000, 400), 1).map(({ aggregate }) => ({ uuid: aggregate }));
  const other = { uuid: `0dd50000-0000-4000-9000-${String(number).padStart(12, '0')}` };
  const query = `subscription ($filter: FleetTotalsFilter) {
    event: fleetTotalsChanged(filter: $filter, groupBy: TREE, everySeconds: 3600) { complete } }`;
  const variables = { filter: { resourceClass: 'VCPU', memberOf: [[...zones, other]] } };
  return subscribeTo(url, { query, variables }, by(expiring));
}

longAttack('idle streams of the totals of all trees, with one filter and with many', async ({ url, pid }) => {
  for (const filterOf of [() => 0, (number: number) => number]) {
    const before = residentMiB(pid);
    const streams = await all(strength(400, 20), (number) => totals(url, filterOf(number)));
    const events = await Promise.all(
      streams.map((stream) =>
        stream.next().then(
          () => 1,
          () => 0,
        ),
      ),
    );
    const count = events.reduce<number>((sum, received) => sum + received, 0);
    expect(count).toBeGreaterThan(10);
    expect(residentMiB(pid) - before).toBeLessThan(400);
    for (const stream of streams) stream.close();
  }
});

longAttack('idle streams with long documents and variables', async ({ url, pid }) => {
  const before = residentMiB(pid);
  const kinds = Array.from({ length: strength(20_000, 1_000) }, () => 'USAGE');
  const query = (number: number): string =>
    `subscription ($kinds: [ResourceProviderChangeKind!]) { event: resourceProviderChanged(kinds: $kinds) {
      a${number}: uuid ${aliases(strength(300, 100), 'uuid').replaceAll(/^a/gm, 'b')} } }`;
  const streams = await all(strength(400, 20), (number) =>
    subscribeTo(url, { query: query(number), variables: { kinds } }, by(expiring)),
  );
  expect(streams.filter(({ response }) => response.status === 200).length).toBeGreaterThan(10);
  expect(residentMiB(pid) - before).toBeLessThan(500);
  for (const stream of streams) stream.close();
});

longAttack(
  'large variables of a token without rights, as often as a document can refer to them',
  async ({ url }) => {
    const traits = Array<string>(strength(300_000, 100_000)).fill('');
    const filter = `{ requiredTraits: [${'$t '.repeat(4_500)}], resources: [{ resourceClass: "VCPU", amount: 1 }] }`;
    const query = `query ($t: [String!]!) { allocationCandidates(request: { groups: [${filter}] }) { complete } }`;
    for (const length of [traits.length, 20]) {
      const variables = { t: traits.slice(0, length) };
      const replies = await all(strength(10, 2), () => ask(url, query, variables, { headers: by(member) }));
      for (const { text } of replies) expect(text).toContain(length > 20 ? 'LIMIT_EXCEEDED' : 'FORBIDDEN');
    }
  },
);

function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
