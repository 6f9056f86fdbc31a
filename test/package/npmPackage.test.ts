import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Machine } from './machine.js';
import { ask, createDatabase, get, node } from './server.js';
import { prepared } from '../support/prepared.js';

const run = promisify(execFile);

const PACKAGE = prepared('PLACEMENT_PACKAGE');
const PROJECT = join(dirname(PACKAGE), 'project');
const root = fileURLToPath(new URL('../../', import.meta.url));

/** An empty project gets the package as any other; the tests run it in a Debian without npm's cache and without a network. */
let machine: Machine;
beforeAll(async () => {
  mkdirSync(PROJECT);
  writeFileSync(join(PROJECT, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
  const install = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', PACKAGE];
  await run('npm', install, { cwd: PROJECT });
  machine = await Machine.boot({ '/project': PROJECT });
});
afterAll(() => machine.stop());

const READ = '{ resourceProviders(first: 1) { nodes { name } } }';

/** Runs the program as a user with a home directory, until a test ends it. */
const serve = (environment: string, ...options: string[]): Promise<string> =>
  machine.mustRun(
    `cd /project && systemd-run --quiet --unit serve --uid user --setenv HOME=/home/user ${environment} \\
       --working-directory /project node_modules/.bin/placement-graphql serve ${options.join(' ')}`,
  );
const stop = (): Promise<string> => machine.mustRun('systemctl stop serve');

test('the package has the files that run, and no sources', async () => {
  const { stdout } = await run('tar', ['-tzf', PACKAGE]);
  const files = stdout
    .trim()
    .split('\n')
    .map((file) => file.replace(/^package\//, ''));
  const outside = files.filter((file) => !/^(dist|prisma|examples|schemas)\//.test(file)).sort();
  expect(outside).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'].concat([
      'npm-shrinkwrap.json',
      'package.json',
      'schema.graphql',
    ]),
  );
  expect(files).toEqual(
    expect.arrayContaining(['prisma/catalog/traits.txt', 'examples/graphiql/1-explore.graphql']),
  );
  const page = files.filter((file) => file.startsWith('dist/dashboard/'));
  expect(page).toEqual(
    expect.arrayContaining(['dist/dashboard/index.html', expect.stringMatching(/assets\/index-.+\.js$/)]),
  );
  expect(page.filter((file) => /(?<!\.(css|html|js|json|md|svg))$/.test(file))).toEqual([]);
  const compiled = files.filter((file) => file.startsWith('dist/') && !page.includes(file));
  const sources = compiled.map((file) => file.replace(/^dist\/(.*?)(\.d)?\.[jt]s$/, 'src/$1.ts'));
  expect(sources.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(statSync(PACKAGE).size).toBeLessThan(2_000_000);
});

test('is published with the versions that it was tested with, and nothing of development', async () => {
  const { stdout } = await run('tar', ['-xzOf', PACKAGE, 'package/npm-shrinkwrap.json']);
  const { packages } = JSON.parse(stdout) as { packages: Record<string, { version: string; dev?: boolean }> };
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: typeof packages;
  };
  const names = Object.keys(packages).filter((name) => name !== '');
  expect(names).toContain('node_modules/mariadb');
  for (const name of ['prisma', 'typescript', 'jest']) expect(names).not.toContain(`node_modules/${name}`);
  expect(names.map((name) => [name, packages[name].version])).toEqual(
    names.map((name) => [name, lock.packages[name]?.version]),
  );
});

test('no package that is installed with it runs a script then', async () => {
  const { stdout } = await run('npm', ['query', ':attr(scripts, [install]), :attr(scripts, [postinstall])'], {
    cwd: PROJECT,
  });
  expect(JSON.parse(stdout)).toEqual([]);
});

test('a strict TypeScript project finds the types of the package', async () => {
  const program = `import { createPlacement, type Plan } from 'placement-graphql';
    export const plan: Plan = ({ tree }) => (tree.name === 'host' ? { root: { name: tree.name } } : null);
    const placement = createPlacement({ databaseUrl: 'mysql://user@localhost/placement' });
    const { data } = await placement.execute<{ node: { id: string } }>({ document: '{ node(id: 1) { id } }' });
    export const id: string | undefined = data?.node.id;
    // @ts-expect-error: there is no such option
    createPlacement({ url: '' });`;
  writeFileSync(join(PROJECT, 'types.ts'), program);
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'];
  // the compiler rejects the configuration of the checkout, which is above the project
  const command = [join(root, 'node_modules/typescript/bin/tsc'), ...options, '--ignoreConfig', 'types.ts'];
  await run(process.execPath, command, { cwd: PROJECT });
});

test('serves with a database of its own in the state directory of its user, GraphiQL included', async () => {
  await machine.mustRun('useradd --create-home user');
  expect(await machine.mustRun('cd /project && npx placement-graphql --version')).toMatch(/^\d+\.\d+\.\d+/);
  await serve('', '--hosts 2');
  await machine.eventually(get('http://127.0.0.1:4000/readyz'), /^200/);
  expect(await machine.mustRun(ask('http://127.0.0.1:4000/graphql', READ))).toContain('host-00001');
  const page = await machine.mustRun(get('http://127.0.0.1:4000/graphql', { accept: 'text/html' }));
  expect(page).toMatch(/^200 .*GraphiQL/is);
  await machine.mustRun('test -d /home/user/.local/state/placement-graphql/database');
  await stop();
});

test('serves from the database that DATABASE_URL names, and scripts read it without a server', async () => {
  const url = await createDatabase(machine);
  await serve(`--setenv DATABASE_URL=${url} --setenv PORT=4001`, '--hosts 1');
  await machine.eventually(get('http://127.0.0.1:4001/readyz'), /^200/);
  const program = `import { createPlacement } from 'placement-graphql';
    const placement = createPlacement({ databaseUrl: '${url}' });
    console.log(JSON.stringify(await placement.execute({ document: '${READ}' })));
    await placement.close();`;
  expect(await machine.mustRun(`cd /project && ${node(program)}`)).toContain('host-00001');
  await stop();
});

test('the command states what to do without a database', async () => {
  const nowhere = '/usr/sbin/mariadbd /usr/sbin/mysqld';
  await machine.mustRun(`systemctl stop mariadb && chmod -x $(readlink -f ${nowhere})`);
  const { output, code } = await machine.run('cd /project && HOME=/tmp/x npx placement-graphql serve');
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(/set DATABASE_URL .* or install/),
  });
});
