import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import type { Finding } from '../../src/store/finding.js';
import { issuePair } from '../support/certificates.js';
import { folderOfFile } from '../support/folder.js';
import { freePort } from '../support/freePort.js';
import { Command, LocalCommand } from './command.js';

const folder = folderOfFile();
chmodSync(folder, 0o755);

/** A database that cannot be reached. */
const socket = encodeURIComponent(join(folder, 'none.sock'));
const DATABASE_URL = `mysql://root@localhost/late?socketPath=${socket}`;

function findingsIn(output: string): readonly Finding[] {
  return (JSON.parse(output.slice(output.indexOf('{\n'))) as { findings: Finding[] }).findings;
}

/** Runs the command. Returns its findings of one check. */
async function findings(check: string, environment: Record<string, string>): Promise<string[]> {
  const { said } = await new LocalCommand(['doctor', '--json'], { PORT: '0', ...environment }).ended();
  const found = findingsIn(said).filter((each) => each.check === check);
  return found.map((each) => `${each.level}: ${each.found}`);
}

test.each([
  [{ PLACEMENT_HTTP_HOST: '0.0.0.0' }, [/^problem: http.host: other machines reach 0.0.0.0/]],
  [{ PLACEMENT_TLS_KEY: '/nowhere' }, [/^problem: tls.certificate is not set: TLS needs both files$/]],
  [
    { PLACEMENT_JWT_AUDIENCE: 'placement', PLACEMENT_TOKENS_FILE: '/nowhere' },
    [/^problem: jwt.audience: is set without jwt.issuer/, /^problem: tokens\.file: .*ENOENT/],
  ],
  [{ PLACEMENT_HTTP_ALLOWED_ORIGINS: 'chrome-extension://abc' }, [/^ok: /]],
])('the settings %j are judged as `serve` does', async (environment, expected) => {
  expect(await findings('settings', { DATABASE_URL, ...environment })).toEqual(
    expected.map((each) => expect.stringMatching(each) as unknown),
  );
});

/** Writes a certificate and its key. Returns the settings that name them. */
async function certified(name: string, mode: number, days?: number) {
  const pair = await issuePair('localhost', days);
  const tls = {
    PLACEMENT_TLS_CERTIFICATE: join(folder, `${name}.crt`),
    PLACEMENT_TLS_KEY: join(folder, `${name}.key`),
  };
  writeFileSync(tls.PLACEMENT_TLS_CERTIFICATE, pair.certificate);
  writeFileSync(tls.PLACEMENT_TLS_KEY, pair.key, { mode });
  return tls;
}

test('an expired certificate and a key that others can read are findings', async () => {
  const expired = await certified('expired', 0o644, -1);
  expect(await findings('settings', { DATABASE_URL, ...expired })).toEqual([
    expect.stringMatching(/^warning: tls.certificate: \S+expired.crt has expired: it was valid until /),
    `warning: tls.key: others may read or write ${expired.PLACEMENT_TLS_KEY}: chmod o=,g-w ${expired.PLACEMENT_TLS_KEY}`,
  ]);
});

test('a server of ours has the port: while it starts, with TLS, at one address', async () => {
  const environment = {
    DATABASE_URL,
    PORT: String(await freePort()),
    PLACEMENT_HTTP_HOST: '127.0.0.2',
    ...(await certified('tls', 0o600)),
  };
  const starting = new Command(['serve'], environment);
  await starting.says('waiting for the database: ');
  const found = await findings('port', environment);
  starting.signal('SIGTERM');
  await starting.ended();
  expect(found).toEqual([`ok: ${environment.PORT} is served by a placement-graphql`]);
}, 60_000);

test('a private database that does not start is a finding', async () => {
  const directory = join(folder, 'damaged');
  mkdirSync(join(directory, 'database'), { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, 'database', 'ibdata1'), 'damaged');
  expect(await findings('connection', { PLACEMENT_DATA_DIRECTORY: directory })).toEqual([
    // with MySQL, its files look like those of MariaDB
    expect.stringMatching(/^problem: the check failed: .* (did not start|was made by MariaDB)/),
  ]);
}, 60_000);

test('a data directory of another user is a finding', async () => {
  const directory = join(folder, 'of-another');
  mkdirSync(join(directory, 'database'), { recursive: true, mode: 0o700 });
  const owner = process.getuid!();
  const other = jest.spyOn(process, 'getuid').mockReturnValue(owner + 1);
  try {
    expect(await findings('data directory', { PLACEMENT_DATA_DIRECTORY: directory })).toContain(
      `problem: ${directory} belongs to the user ${owner}, and this is the user ${owner + 1}`,
    );
  } finally {
    other.mockRestore();
  }
});
