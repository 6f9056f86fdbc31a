import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { launchChromium } from '../browser/chromium.js';
import { prepared } from '../support/prepared.js';

/** A Debian of debootstrap with this Node, this npm and npm's settings: no git, no database, no npm cache, no Python. */
const BARE = prepared('PREPARED_BARE_DEBIAN');

const root = fileURLToPath(new URL('../../', import.meta.url));
const ENTER = fileURLToPath(new URL('enter.sh', import.meta.url));
const NAMESPACES = ['--mount', '--pid', '--ipc', '--uts', '--cgroup', '--fork', '--kill-child'];

/** The second command of the README: a developer may pass PATHs to run less of it. */
const TEST = process.env.PLACEMENT_BARE_TEST ?? 'npm test';

let folder: string;
let checkout: string;

beforeAll(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
  checkout = join(folder, 'checkout');
  await mkdir(checkout);
  // as from an archive: the files that git tracks, without its history
  const copy = 'git ls-files -z | tar --null --files-from=- --create | tar --extract --directory "$0"';
  await promisify(execFile)('sh', ['-ec', copy, checkout], { cwd: root });
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

/** Runs a script in the bare root, which keeps what earlier scripts have installed. */
async function run(script: string): Promise<{ output: string; seconds: number }> {
  const began = Date.now();
  const enter = [ENTER, BARE, folder, `${checkout}:/placement`, '--'];
  const { NODE_EXTRA_CA_CERTS } = process.env; // of the network, if it has certificates of its own
  const settings = NODE_EXTRA_CA_CERTS ? [`NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS}`] : [];
  const program = ['env', 'HOME=/root', 'LANG=C.UTF-8', ...settings, 'sh', '-c', `cd /placement\n${script}`];
  const child = spawn('unshare', [...NAMESPACES, ...enter, ...program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()));
  await once(child, 'close');
  return { output, seconds: (Date.now() - began) / 1000 };
}

/** Waits for the first answer to a query, prints what the start took, and kills the server. */
const START = `
  began=$(date +%s%3N)
  npm start > start.log 2>&1 &
  node -e '
    const body = JSON.stringify({ query: "{ resourceProviders(first: 1) { nodes { name } } }" });
    const ask = () => fetch("http://127.0.0.1:4000/graphql", {
      method: "POST", headers: { "content-type": "application/json" }, body,
    }).then((answer) => answer.text()).catch(() => "");
    (async () => {
      for (let i = 0; i < 6000; i++) {
        const text = await ask();
        if (text.includes("host-")) return console.log(text);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();'
  echo "answered after $(($(date +%s%3N) - began)) ms"
  du -sm node_modules dashboard/node_modules scripts/node_modules 2>/dev/null | awk '{ sum += $1 } END { print sum " MB" }'`;

const milliseconds = (output: string): number => Number(/answered after (\d+) ms/.exec(output)?.[1]);

test('npm start answers, from an empty npm cache and with at most 300 MB of packages', async () => {
  const first = await run(
    `${START}\nsleep 30; cat start.log; du -sm */node_modules node_modules; kill -9 -1`,
  );
  expect(first.output).toContain('host-00001');
  const sizes = [...first.output.matchAll(/^(\d+)\s+\S*node_modules$/gm)].map(([, size]) => Number(size));
  console.log(`first start: ${milliseconds(first.output)} ms, packages: ${sizes.join(' + ')} MB`);
  expect(sizes.reduce((one, other) => one + other, 0)).toBeLessThanOrEqual(300);
  const second = await run(`${START}\ncat start.log; kill -9 -1`);
  expect(second.output).toContain('host-00001');
  console.log(`second start, after kill -9: ${milliseconds(second.output)} ms`);
}, 600_000);

/** The commands of docs/guides/fleets.md, from a machine without anything to its map. */
const OWN_HOST = `
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends hwloc
  npm start -- --empty > start.log 2>&1 &
  node -e '
    const isReady = () => fetch("http://127.0.0.1:4000/readyz").then(({ ok }) => ok).catch(() => false);
    (async () => { while (!(await isReady())) await new Promise((next) => setTimeout(next, 100)); })();'
  npx placement-graphql fleet from hwloc --discover | npx placement-graphql fleet apply -f -
  echo "the host is $(hostname)."`;

test('a page shows the own machine after two commands on an empty database', async () => {
  const inside = run(`${OWN_HOST}\nsleep 60; cat start.log; kill -9 -1`);
  const browser = await launchChromium();
  let map = '';
  try {
    const page = await browser.newPage();
    // the root has the network of this machine
    for (let tries = 0; !map.includes('VCPU') && tries < 500; tries++) {
      await page.goto('http://127.0.0.1:4000/').catch(() => undefined);
      await page.waitForTimeout(1_000);
      map = await page
        .locator('main')
        .innerText()
        .catch(() => '');
    }
    await page.screenshot({ path: join(root, '.cache/screenshots/own-machine.png') });
  } finally {
    await browser.close();
  }
  const { output } = await inside;
  const [, host] = /^the host is (.+)\.$/m.exec(output) ?? [];
  expect(output).toMatch(new RegExp(`^create +${host}\\b`, 'm'));
  expect(output).toMatch(/^applied$/m);
  expect(map).toContain('VCPU');
}, 600_000);

test('npm test passes', async () => {
  const { output, seconds } = await run(TEST);
  const lines = output.trim().split('\n');
  console.log(`${TEST}: ${seconds} s, ${lines.at(-1)}`);
  const summary = lines.indexOf('Summary of all failing tests');
  if (summary >= 0) console.log(lines.slice(summary, summary + 60).join('\n'));
  const failures = lines.filter((line) => /^FAIL|✕|passed, \d+ failed$/.test(line));
  expect(failures).toEqual([expect.stringMatching(/^\d+ passed, 0 failed$/)]);
}, 3_600_000);
