import { execFile } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/store/database/database.js';
import { TcpProxy } from '../support/tcpProxy.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase({ connections: 2 });
let proxy: TcpProxy;

beforeEach(async () => void (proxy = await TcpProxy.before(database.url)));
afterEach(() => proxy.close());

/**
 * Runs a process that queries the database through the proxy until it succeeds. Returns its output, which contains an
 * unhandled rejection.
 */
function askUntilAnswered(): Promise<string> {
  const program = `
    import { openDatabase } from ${JSON.stringify(new URL('../../dist/store/database/database.js', import.meta.url).href)};
    const database = openDatabase(${JSON.stringify(proxy.url)}, { connections: 2 });
    const ask = () => database.pool.query('SELECT 1 AS one').then(() => console.log('answered'), () => ask());
    await ask();
    await database.close();`;
  return new Promise((resolve) => {
    const options = { timeout: 25_000 };
    execFile(process.execPath, ['--input-type=module', '-e', program], options, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

test.each([
  ['cut', (connection: { cut(): void }) => connection.cut()],
  ['silent', (connection: { silence(): void }) => connection.silence()],
])('a connection that is %s right after the login ends no process', async (_fault, fail) => {
  let end: number | undefined;
  proxy.onRequest = (_data, connection) => {
    if (connection.requests !== 2) return;
    end ??= Date.now() + 1_000;
    if (Date.now() < end) fail(connection);
  };
  expect(await askUntilAnswered()).toBe('answered\n');
  expect(end).toBeDefined();
});

test('a server that was unavailable is used again, by open and by new connections', async () => {
  const other = openDatabase(proxy.url, { connections: 2 });
  const ask = (): Promise<unknown> => other.pool.query('SELECT 1 AS one');
  try {
    await Promise.all([ask(), ask()]);
    proxy.isUp = false;
    proxy.cutAll();
    await expect(ask()).rejects.toThrow();
    proxy.isUp = true;
    expect(await ask()).toEqual([{ one: 1 }]);
    expect(await Promise.all([ask(), ask(), ask()])).toHaveLength(3);
  } finally {
    await other.close();
  }
});
