import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { lockHolder, takeLock } from '../../src/server/start/lock.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), `placement-test-${process.pid}-`));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

test('one process holds a directory, and the error of a second process names the holder', async () => {
  const lock = await takeLock(directory);
  lock.setAddress('http://127.0.0.1:4000/graphql');
  const holder = `process ${process.pid}, http://127.0.0.1:4000/graphql`;
  await expect(takeLock(directory)).rejects.toThrow(`placement-graphql is already running here: ${holder}`);
  expect(await lockHolder(directory)).toBe(holder);
  await lock.release();
  expect(await lockHolder(directory)).toBeNull();
  await (await takeLock(directory)).release();
});

test('a killed process leaves no lock', async () => {
  const program = `
    import { takeLock } from './dist/server/start/lock.js';
    await takeLock(${JSON.stringify(directory)});
    console.log('taken');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(await lockHolder(directory)).toBe(`process ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await lockHolder(directory)).toBeNull();
  await (await takeLock(directory)).release();
});

test('of several that start at once over a dead socket, one gets the directory', async () => {
  for (let round = 0; round < 5; round += 1) {
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => takeLock(directory)));
    const locks = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(locks).toHaveLength(1);
    await locks[0].release();
  }
});

test('a missing directory has no holder', async () => {
  expect(await lockHolder(join(directory, 'none'))).toBeNull();
});
