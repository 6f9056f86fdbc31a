import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { folderOfFile } from '../support/folder.js';
import { cases } from '../support/length.js';
import { unchanged } from '../support/unchanged.js';
import { clientOf, MAIN, runClient } from './client.js';

const { api, database } = useApi();
const { run, json } = clientOf(api);
const path = join(folderOfFile(), 'fleet.csv');

let child: ChildProcess | undefined;
let [out, error] = ['', ''];
afterEach(async () => {
  if (child?.exitCode !== null || !child.kill('SIGKILL')) return;
  await once(child, 'exit');
});

function watch(url = api.url): void {
  child = spawn(process.execPath, [MAIN, 'fleet', 'apply', '--from', 'csv', path, '--watch', '1'], {
    env: { PATH: process.env.PATH, PLACEMENT_URL: url },
  });
  [out, error] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (error += chunk.toString()));
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    if (tries === 600 || child!.exitCode !== null) throw new Error(`it prints only: ${out}\n${error}`);
    await sleep(50);
  }
}

const csv = (...rows: string[]): void => writeFileSync(path, ['host,class,total', ...rows].join('\n'));
const names = async (): Promise<string[]> =>
  (await json<{ name: string }[]>('provider list')).map(({ name }) => name).sort();

test('--watch applies a changed source, logs errors without removing anything, and goes on after them', async () => {
  csv('cn0,VCPU,8', 'cn1,VCPU,8', 'cn2,VCPU,8');
  watch();
  await until(() => out.includes('applied'));
  expect(await names()).toEqual(['cn0', 'cn1', 'cn2']);
  csv('cn0,VCPU,16', 'cn1,VCPU,8', 'cn3,VCPU,8');
  await until(() => /^update +cn0 +VCPU total 8 -> total 16$/m.test(out) && /^remove +cn2/m.test(out));
  expect(await names()).toEqual(['cn0', 'cn1', 'cn3']);

  for (const [text, message] of [
    ['', 'there is no host in it'],
    ['host,class,total\n"cn0,VCPU,8', 'Quote Not Closed'],
    ['host,class,total\ncn0,VCPU,8', '2 of the 3 hosts of fleet are missing, such as cn1'],
    ['host,class,total\ncn0,VCPU,8\ncn1,VCPU,8\ncn3,UNKNOWN,8', 'UNKNOWN'],
  ]) {
    error = '';
    writeFileSync(path, text);
    await until(() => error.includes(message) && error.includes('; nothing is removed\n'));
    expect(await names()).toEqual(['cn0', 'cn1', 'cn3']);
  }
  out = '';
  csv('cn0,VCPU,8', 'cn1,VCPU,8');
  await until(() => /^remove +cn3/m.test(out));
  expect(await names()).toEqual(['cn0', 'cn1']);
  child!.kill('SIGINT');
  await once(child!, 'exit');
}, 120_000);

test('--watch outlives a server that does not answer', async () => {
  csv('cn0,VCPU,8', 'cn1,VCPU,8');
  watch('http://127.0.0.1:9/graphql');
  await until(() => error.split('; nothing is removed\n').length > 2);
  expect(child!.exitCode).toBeNull();
});

test('a second time, nothing is written', async () => {
  const hosts = cases(1_000, 120);
  csv(...Array.from({ length: hosts }, (_, at) => `cn${at},VCPU,8`));
  const apply = () => run('fleet apply --from csv', path);
  const began = performance.now();
  expect((await apply()).error).toBe('');
  console.log(`${hosts} hosts in ${Math.round(performance.now() - began)} ms`);
  const rows = () => database.pool.query<unknown[]>('SELECT * FROM placement_ownerships ORDER BY 1, 2, 3');
  const before = await rows();
  expect(before).toHaveLength(2 * hosts);
  const again = await unchanged(database, apply);
  expect(again).toEqual({ code: 0, error: '', out: 'nothing differs\n' });
  expect(await rows()).toEqual(before);
}, 120_000);

test('--watch without --from is rejected', async () => {
  const words = ['fleet', 'apply', '-f', path, '--watch', '1'];
  expect(await runClient(api.url, words)).toMatchObject({
    code: 2,
    error: 'error: --watch belongs to --from\n',
  });
});
