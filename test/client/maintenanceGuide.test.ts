import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';

const root = new URL('../../', import.meta.url);
const guide = readFileSync(new URL('docs/guides/maintenance.md', root), 'utf8');

/** Of a block, each command and what is printed beneath it. */
function commandsOf(block: string): { command: string; answer: string }[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.split('\n');
      const rest = lines.findIndex((line, at) => at > 0 && !line.startsWith('> '));
      const command = lines.slice(0, rest).map((line) => line.replace(/^> /, ''));
      return { command: command.join('\n'), answer: lines.slice(rest).join('\n') };
    });
}

const blocksOf = (language: string): string[] =>
  [...guide.matchAll(new RegExp('^```' + language + '\\n(.*?)^```$', 'gms'))].map(([, block]) => block);
const session = blocksOf('console').flatMap(commandsOf);
const [{ command: watching, answer: watched }] = blocksOf('text').flatMap(commandsOf);
/** When a provider was made or changed. */
const withoutTimes = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

const { api } = useApi();
let environment: NodeJS.ProcessEnv;

beforeAll(() => {
  const programs = fileURLToPath(new URL('node_modules/.bin', root));
  environment = { PATH: `${programs}:${process.env.PATH}`, PLACEMENT_URL: api.url };
});

test('every command of the guide gives the answer beneath it', async () => {
  let watch: ReturnType<typeof spawn> | undefined;
  let seen = '';
  for (const { command, answer } of session) {
    if (command === 'placement-graphql drain compute-1') {
      watch = spawn('bash', ['-c', `exec ${watching}`], { env: environment });
      watch.stdout!.on('data', (chunk: Buffer) => (seen += chunk.toString()));
      while (seen === '')
        for (const change of ['add', 'remove'])
          await run(`placement-graphql trait ${change} compute-1 COMPUTE_NODE`);
    }
    expect(withoutTimes(await run(command))).toBe(withoutTimes(answer));
  }
  watch!.kill('SIGINT');
  await once(watch!, 'exit');
  const last = (text: string): string =>
    text
      .trimEnd()
      .split('\n')
      .at(-1)!
      .replace(/generation \d+/, '');
  expect(last(seen)).toBe(last(watched));
}, 120_000);

/** What a command prints. */
function run(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: environment };
    execFile('bash', ['-c', command], options, (failure, out, error) =>
      failure ? reject(new Error(error)) : resolve(out),
    );
  });
}
