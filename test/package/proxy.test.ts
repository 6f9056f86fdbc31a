import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Machine } from './machine.js';
import { ask, createDatabase, get, node } from './server.js';
import { prepared } from '../support/prepared.js';

const DEB = prepared('PLACEMENT_DEB');
const PORTS = [4_101, 4_102, 4_103];
const PROXY = 'http://127.0.0.1:4000';
const READ = '{ traits { name } }';

/** The configuration of the cluster, with servers of one machine. */
function configuration(): string {
  const delivered = readFileSync(
    new URL('../../deploy/compose/cluster/haproxy.cfg', import.meta.url),
    'utf8',
  );
  return delivered
    .replace('bind :4000', 'bind 127.0.0.1:4000')
    .replace(
      /server (placement-(\d)) \S+/g,
      (_line, name, at) => `server ${name} 127.0.0.1:${PORTS[at - 1]}`,
    );
}

/** Three servers on one database behind the proxy. */
let machine: Machine;
beforeAll(async () => {
  const folder = dirname(DEB);
  writeFileSync(join(folder, 'haproxy.cfg'), configuration());
  machine = await Machine.boot({ '/mnt': folder });
  await machine.mustRun(`apt-get install -y /mnt/${basename(DEB)}`);
  const url = await createDatabase(machine);
  for (const port of PORTS) {
    await machine.mustRun(
      `systemd-run --quiet --unit server-${port} --uid placement-graphql --setenv DATABASE_URL=${url} \\
         placement-graphql serve --port ${port}`,
    );
    await machine.eventually(get(`http://127.0.0.1:${port}/readyz`), /^200/);
  }
  await machine.mustRun(
    'cp /mnt/haproxy.cfg /etc/haproxy/haproxy.cfg && haproxy -c -f /etc/haproxy/haproxy.cfg',
  );
  await machine.mustRun('systemctl restart haproxy');
});
afterAll(() => machine.stop());

/** Asks again and again through the proxy for some seconds, and counts the answers by what they are. */
const load = (seconds: number): string =>
  node(`
    const seen = {};
    for (const end = Date.now() + ${1_000 * seconds}; Date.now() < end; ) {
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"${READ}"}' };
      const kind = await fetch('${PROXY}/graphql', request).then(
        async (answer) => (answer.status === 200 && (await answer.json()).data ? 'answered' : answer.status),
        (error) => error.cause?.code ?? error.message,
      );
      seen[kind] = (seen[kind] ?? 0) + 1;
    }
    console.log(JSON.stringify(seen));`);

test('passes requests on, and keeps health and figures to itself', async () => {
  expect(await machine.mustRun(ask(`${PROXY}/graphql`, READ))).toContain('"name"');
  for (const path of ['/livez', '/readyz', '/metrics'])
    expect(await machine.mustRun(get(`${PROXY}${path}`))).toMatch(/^404/);
});

test('a server that is not ready gets no requests, and none of the others is disturbed', async () => {
  const loaded = machine.mustRun(load(8));
  await machine.mustRun(`sleep 2 && systemctl kill --signal STOP server-${PORTS[0]}`);
  await machine.mustRun(`sleep 4 && systemctl kill --signal CONT server-${PORTS[0]}`);
  await machine.mustRun(`systemctl stop server-${PORTS[1]}`);
  const seen = JSON.parse(await loaded) as Record<string, number>;
  expect(Object.keys(seen)).toEqual(['answered']);
  expect(seen.answered).toBeGreaterThan(50);
});

test('events come at once, also after a silence', async () => {
  const program = `
    const subscription = { query: 'subscription { resourceProviderChanged { uuid } }' };
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const answer = await fetch('${PROXY}/graphql', { method: 'POST', headers, body: JSON.stringify(subscription) });
    console.log(answer.status);
    for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
      const at = text.indexOf('data: {');
      if (at < 0) continue;
      console.log(Date.now(), text.slice(at));
      break;
    }
    process.exit();`;
  const events = machine.mustRun(node(program));
  await machine.mustRun('sleep 15');
  const before = Date.now();
  await machine.mustRun(
    ask(`${PROXY}/graphql`, 'mutation { createResourceProvider(input: { name: "host" }) { __typename } }'),
  );
  const [, time, event] = /^200\n(\d+) (.*)/.exec(await events)!;
  expect(event).toContain('resourceProviderChanged');
  expect(Number(time) - before).toBeLessThan(3_000);
}, 60_000);
