import { basename, dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Machine } from './machine.js';
import { ask, createDatabase, get } from './server.js';
import { prepared } from '../support/prepared.js';

const DEB = prepared('PLACEMENT_DEB');
const INSTALL = `apt-get install -y /mnt/${basename(DEB)}`;
const URL = 'http://127.0.0.1:4000';
const SERVICE = 'placement-graphql';

let machine: Machine;
beforeAll(async () => {
  machine = await Machine.boot({ '/mnt': dirname(DEB) });
});
afterAll(() => machine.stop());

const property = (name: string): Promise<string> =>
  machine.mustRun(`systemctl show --property ${name} --value ${SERVICE}`);

test('the installed files are complete and belong to root, and only the service can read the password', async () => {
  await machine.mustRun(INSTALL);
  expect(await machine.mustRun(`dpkg --verify ${SERVICE}`)).toBe('');
  expect(await machine.mustRun('placement-graphql --version')).toMatch(/^\d+\.\d+\.\d+/);
  expect(await machine.mustRun(`cd /etc/${SERVICE} && stat --format '%n %U:%G %a' *`)).toBe(
    `environment root:${SERVICE} 640\nplacement.yaml root:root 644\n`,
  );
  const foreign = `find /usr/lib/${SERVICE} /usr/share/${SERVICE} ! -user root -o -perm /022 ! -type l`;
  expect(await machine.mustRun(foreign)).toBe('');
  expect((await machine.run(`runuser -u nobody cat /etc/${SERVICE}/environment`)).output).toMatch(/denied/);
});

test('the unit is well-formed, and little is left to a server that was taken over', async () => {
  const unit = `/usr/lib/systemd/system/${SERVICE}.service`;
  expect(await machine.mustRun(`systemd-analyze verify ${unit} && echo well-formed`)).toBe('well-formed\n');
  // in tenths, and the limit is somewhat above 1.4, which is what it has
  await machine.mustRun(`systemd-analyze security --offline=true --threshold=20 ${unit}`);
});

test('is neither started nor enabled by the installation', async () => {
  expect((await machine.run(`systemctl is-active ${SERVICE}`)).output).toBe('inactive\n');
  expect((await machine.run(`systemctl is-enabled ${SERVICE}`)).output).toBe('disabled\n');
});

test('the service serves from the database of its environment, as its own user without any privilege', async () => {
  const url = await createDatabase(machine);
  await machine.mustRun(`echo DATABASE_URL=${url} >> /etc/${SERVICE}/environment`);
  await machine.mustRun(`systemctl enable --now ${SERVICE}`);
  await machine.eventually(get(`${URL}/readyz`), /^200/);
  const status = await machine.mustRun(`cat /proc/${(await property('MainPID')).trim()}/status`);
  const user = (await machine.mustRun(`id --user ${SERVICE}`)).trim();
  expect(status).toMatch(new RegExp(`^Uid:\t${user}\t${user}\t${user}\t${user}$`, 'm'));
  expect(status).toMatch(/^CapBnd:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(status).toMatch(/^Seccomp:\t2$/m);
  expect(await machine.mustRun(get(`${URL}/graphql`, { accept: 'text/html' }))).toMatch(/^200 .*GraphiQL/is);
});

test('an empty database gets no demo data, and takes writes', async () => {
  const providers = ask(`${URL}/graphql`, '{ resourceProviders { nodes { name } } }');
  expect(await machine.mustRun(providers)).toContain('{"resourceProviders":{"nodes":[]}}');
  const create = `mutation { createResourceProvider(input: { name: "host" }) { __typename } }`;
  expect(await machine.mustRun(ask(`${URL}/graphql`, create))).toContain('CreateResourceProviderPayload');
  expect(await machine.mustRun(providers)).toContain('"name":"host"');
});

test('a server that is killed is started again, and one that is stopped ends cleanly', async () => {
  const before = await property('MainPID');
  await machine.mustRun(`kill -9 ${before}`);
  await machine.eventually(`systemctl show --property NRestarts --value ${SERVICE}`, /^1/);
  await machine.eventually(get(`${URL}/readyz`), /^200/);
  expect(await property('MainPID')).not.toBe(before);
  await machine.mustRun(`systemctl stop ${SERVICE}`);
  expect(await property('Result')).toBe('success\n');
});

test('runs a private database in its state directory, under the same restrictions', async () => {
  await machine.mustRun(`sed -i /^DATABASE_URL/d /etc/${SERVICE}/environment && systemctl start ${SERVICE}`);
  await machine.eventually(get(`${URL}/readyz`), /^200/);
  expect(await machine.mustRun(`stat --format '%U %a' /var/lib/${SERVICE}`)).toBe(`${SERVICE} 700\n`);
  expect(await machine.mustRun(`ps -u ${SERVICE} -o comm=`)).toMatch(/mariadbd/);
});

test('an upgrade keeps settings that were changed, and has a running service go on with the new program', async () => {
  await machine.mustRun(`echo '# mine' >> /etc/${SERVICE}/placement.yaml`);
  const before = await property('MainPID');
  await machine.mustRun(`${INSTALL} --reinstall`);
  expect(await machine.mustRun(`tail -1 /etc/${SERVICE}/placement.yaml`)).toBe('# mine\n');
  expect(await property('MainPID')).not.toBe(before);
  await machine.eventually(get(`${URL}/readyz`), /^200/);
});

test('remove stops it and keeps settings and data, purge leaves nothing', async () => {
  await machine.mustRun(`apt-get remove -y ${SERVICE}`);
  expect((await machine.run(`ps -u ${SERVICE} -o pid=`)).output).toBe('');
  await machine.mustRun(`test ! -e /usr/lib/${SERVICE} -a -e /etc/${SERVICE}/environment`);
  await machine.mustRun(`test -d /var/lib/${SERVICE}/database`);
  await machine.mustRun(`apt-get purge -y ${SERVICE}`);
  // journal and logs of apt tell what happened
  const left = `find / -xdev -name '*${SERVICE}*' -not -path '/mnt/*' -not -path '/var/log/*'`;
  expect(await machine.mustRun(left)).toBe('');
  expect((await machine.run(`id ${SERVICE}`)).code).not.toBe(0);
});
