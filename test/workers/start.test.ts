import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/store/database/database.js';
import { startPrivateDatabase } from '../../src/tools/privateDatabase/privateDatabase.js';
import { stopProcesses } from '../../src/tools/privateDatabase/processes.js';
import { Command, LocalCommand } from '../cli/command.js';
import { freePort } from '../support/freePort.js';

let directory: string;
let command: Command | null = null;

beforeAll(async () => {
  directory = await mkdtemp(join(await realpath(tmpdir()), `placement-test-${process.pid}-`));
});
afterEach(async () => {
  if (command?.isRunning) {
    command.signal('SIGTERM');
    await command.ended();
  }
  await stopProcesses(directory);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** The status and the body of the answer, as soon as there is one. */
async function ask(url: string, body?: string): Promise<{ response: Response; json: unknown }> {
  for (;;) {
    try {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, body === undefined ? {} : { method: 'POST', headers, body });
      return { response, json: await response.json() };
    } catch {
      await sleep(50);
    }
  }
}

test.each([1, 2])(
  'with %d processes the server waits for a database that is not there yet, says so, and serves when it is',
  async (workers) => {
    const socket = join(directory, 'database.sock');
    const url = `mysql://root@localhost/late${workers}?socketPath=${encodeURIComponent(socket)}`;
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    command = new Command(['serve', '--port', String(port), '--hosts', '2', '--workers', String(workers)], {
      DATABASE_URL: url,
    });
    await command.says('waiting for the database: ');
    expect(command.said).toMatch(
      /^\S+ INFO: waiting for the database: cannot use the database late\d on .*ENOENT.*\n$/,
    );
    expect((await ask(`${origin}/livez`)).response.status).toBe(200);
    const ready = await ask(`${origin}/readyz`);
    expect([ready.response.status, ready.json]).toEqual([
      503,
      { status: 'starting', reason: 'the server waits for its database; its log has the reason' },
    ]);
    const query = JSON.stringify({ query: '{ resourceProviders(first: 5) { nodes { name } } }' });
    const early = await ask(`${origin}/graphql`, query);
    expect([early.response.status, early.response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(early.json).toMatchObject({ errors: [{ extensions: { code: 'DATABASE_UNAVAILABLE' } }] });

    await startPrivateDatabase({ directory, durable: false });
    await command.says('is serving');
    expect((await ask(`${origin}/readyz`)).json).toEqual({ status: 'ok', fullLoads: 1 });
    const { json } = await ask(`${origin}/graphql`, query);
    expect(json).toMatchObject({ data: { resourceProviders: { nodes: Array(5).fill(expect.anything()) } } });
  },
  60_000,
);

test('a wrong password and a database that may not be created end the start', async () => {
  const server = await startPrivateDatabase({ directory, durable: false });
  const database = openDatabase(server.url('mysql'));
  await database.pool.query("CREATE USER guest@'%', guest@localhost");
  await database.close();
  for (const [Program, workers, userInfo, reason] of [
    [Command, '2', 'nobody:wrong', "Access denied for user 'nobody'"],
    [LocalCommand, '1', 'guest', "Access denied for user 'guest'@'\\S+' to database 'missing'"],
  ] as const) {
    const url = server.url('missing').replace(/\/\/[^@]*@/, `//${userInfo}@`);
    const refused = new Program(['serve', '--port', '0', '--workers', workers], { DATABASE_URL: url });
    expect(await refused.ended()).toEqual({
      code: 1,
      said: expect.stringMatching(
        new RegExp(`^cannot use the database missing on \\S+: ${reason}.*\\n$`),
      ) as unknown,
    });
  }
}, 60_000);
