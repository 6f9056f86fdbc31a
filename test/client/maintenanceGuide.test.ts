import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { commandsOf, environmentOf, GuideShell } from './guideCommands.js';

const session = commandsOf('maintenance.md', 'console');
const [{ command: watching, answer: watched }] = commandsOf('maintenance.md', 'text');
/** When a provider was made or changed. */
const withoutTimes = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

const { api } = useApi();

test('every command of the guide gives the answer beneath it', async () => {
  const shell = await GuideShell.start(api.url);
  let watch: ReturnType<typeof spawn> | undefined;
  let seen = '';
  for (const { command, answer } of session) {
    if (command === 'placement-graphql drain compute-1') {
      watch = spawn('bash', ['-c', `exec ${watching}`], { env: environmentOf(api.url) });
      watch.stdout!.on('data', (chunk: Buffer) => (seen += chunk.toString()));
      while (seen === '')
        for (const change of ['add', 'remove'])
          await shell.run(`placement-graphql trait ${change} compute-1 COMPUTE_NODE`);
    }
    expect(withoutTimes(await shell.run(command))).toBe(withoutTimes(answer));
  }
  const last = (text: string): string =>
    text
      .trimEnd()
      .split('\n')
      .at(-1)!
      .replace(/generation \d+/, '');
  for (let tries = 0; tries < 100 && last(seen) !== last(watched); tries++) await sleep(100);
  watch!.kill('SIGINT');
  await once(watch!, 'exit');
  shell.close();
  expect(last(seen)).toBe(last(watched));
}, 120_000);
