import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Machine, type Mounts } from './machine.js';
import { ask, createDatabase, get } from './server.js';
import { prepared } from '../support/prepared.js';

const run = promisify(execFile);

const root = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(dirname(prepared('PLACEMENT_PACKAGE')), 'container');
const PODMAN = 'podman --root /mnt/images --storage-driver overlay';
const IMAGE = 'localhost/placement-graphql';
const URL_OF_SERVER = 'http://127.0.0.1:4000';

/** A registry need not be at hand: the image that this one is built on is a Debian with Node. */
const BASE = 'localhost/node:test';

/** It installs all packages, and compiles. */
const LONGEST_BUILD_MS = 900_000;

const mounts: Mounts = { '/mnt': FOLDER, '/checkout': join(FOLDER, 'checkout') };

beforeAll(async () => {
  mkdirSync(join(FOLDER, 'checkout'), { recursive: true });
  const listed = ['-C', root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  await run('sh', ['-ec', 'git "$@" | tar -C "$ROOT" --null -T - -c | tar -x -C "$TO"', '-', ...listed], {
    env: { ...process.env, ROOT: root, TO: join(FOLDER, 'checkout') },
  });
  const base = join(prepared('PLACEMENT_DEBIAN'), 'node');
  await run('tar', ['-C', base, '--exclude=./var/cache/apt', '-cf', join(FOLDER, 'base.tar'), '.']);
  await build();
}, LONGEST_BUILD_MS);

/** As a user would, but that npm has its cache and the certificates of this machine. */
async function build(): Promise<void> {
  const { stdout: cache } = await run('npm', ['config', 'get', 'cache']);
  const certificates = process.env.NODE_EXTRA_CA_CERTS ?? '';
  const hasOwn = existsSync(certificates);
  if (hasOwn) copyFileSync(certificates, join(FOLDER, 'ca.crt'));
  writeFileSync(
    join(FOLDER, 'npmrc'),
    `cache=/cache\nprefer-offline=true\n${hasOwn ? 'cafile=/mnt/ca.crt\n' : ''}`,
  );
  const builder = await Machine.idle({ ...mounts, '/cache': cache.trim() });
  try {
    const volumes = '--volume /cache:/cache --volume /mnt/npmrc:/root/.npmrc --volume /mnt:/mnt';
    await builder.mustRun(`${PODMAN} import /mnt/base.tar ${BASE}`);
    await builder.mustRun(
      `${PODMAN} build --isolation chroot --network host --format docker --ulimit nofile=1024:1024 --ulimit nproc=10000:10000 \\
         --build-arg NODE_IMAGE=${BASE} ${volumes} --tag ${IMAGE} /checkout`,
    );
  } finally {
    await builder.stop();
  }
}

/** It has no network but its own, and the database that a service runs there. */
let machine: Machine;
beforeAll(async () => {
  machine = await Machine.boot(mounts);
});
afterAll(() => machine.stop());

/** By which variable the image listens on all addresses, which takes authentication. */
const [, HOST] = /(\w+)=0\.0\.0\.0/.exec(readFileSync(join(root, 'Containerfile'), 'utf8'))!;

/** As the compose files and the manifests have it run, but for this machine alone. */
const RUN = `${PODMAN} run --read-only --cap-drop=all --security-opt=no-new-privileges --network host \\
  --cgroups=disabled --ulimit host --env ${HOST}=127.0.0.1`;

test('the image runs the program as a user without a name, and has a health check', async () => {
  expect(await machine.mustRun(`${RUN} --rm ${IMAGE} --version`)).toMatch(/^\d+\.\d+\.\d+/);
  const text = await machine.mustRun(`${PODMAN} inspect ${IMAGE}`);
  const [{ Config, Healthcheck }] = JSON.parse(text) as [{ Config: object; Healthcheck: object }];
  expect(Config).toMatchObject({ User: '10001:10001', ExposedPorts: { '4000/tcp': {} } });
  expect(JSON.stringify(Healthcheck)).toContain('/livez');
});

test('no layer contains sources, and no setting of the builder is left', async () => {
  const look = 'ls -A /src /mnt /cache /root/.npmrc /checkout; ls /opt/placement-graphql';
  const { output } = await machine.run(`${RUN} --rm --entrypoint sh ${IMAGE} -c '${look}'`);
  expect(output).not.toMatch(/npmrc$|tsconfig|^src$|^test$/m);
  expect(output).toMatch(/^dist$/m);
});

test('the container serves with a read-only file system and without capabilities, reports its health and ends with SIGTERM', async () => {
  const url = await createDatabase(machine);
  await machine.mustRun(`${RUN} --detach --name server --env DATABASE_URL=${url} ${IMAGE}`);
  await machine.eventually(get(`${URL_OF_SERVER}/readyz`), /^200/);
  expect(await machine.mustRun(ask(`${URL_OF_SERVER}/graphql`, '{ traits { name } }'))).toContain('"name"');
  await machine.mustRun(`${PODMAN} healthcheck run server`);
  const pid = (await machine.mustRun(`${PODMAN} inspect --format '{{.State.Pid}}' server`)).trim();
  const status = await machine.mustRun(`cat /proc/${pid}/status`);
  expect(status).toMatch(/^Uid:\t10001\t/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  const { output } = await machine.run(`${RUN} --rm --entrypoint touch ${IMAGE} /opt/placement-graphql/x`);
  expect(output).toMatch(/read-only/i);
  await machine.mustRun(`${PODMAN} stop --time 20 server`);
  expect(await machine.mustRun(`${PODMAN} inspect --format '{{.State.ExitCode}}' server`)).toBe('0\n');
});

test.each(['single', 'cluster'])('compose file: %s', async (name) => {
  const output = await machine.mustRun(
    `docker-compose --file /checkout/deploy/compose/${name}/compose.yaml config`,
  );
  expect(output).toMatch(/^services:$/m);
});

test('the manifests are put together by kustomize', async () => {
  const output = await machine.mustRun('kubectl kustomize /checkout/deploy/kubernetes');
  expect(output.match(/^kind: /gm)).toHaveLength(8);
  expect(output).toContain('image: registry.example/placement-graphql:');
});
