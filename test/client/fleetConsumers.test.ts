import { describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { fileIn, folderOfFile } from '../support/folder.js';
import { clientOf } from './client.js';

const { api } = useApi();
const { run, outputOf, json } = clientOf(api);
const folder = folderOfFile();

const file = (name: string, text: string): string => fileIn(folder, name, text);

/** Applies objects of a cluster. The words precede the file. */
function apply(cluster: string, words: string, ...items: object[]) {
  const path = file(`${cluster}.json`, JSON.stringify({ kind: 'List', items }));
  return run(
    `fleet apply --owner ${cluster} --with-consumers ${words} --from kubernetes`.replace(/ +/g, ' '),
    path,
  );
}

const done = { code: 0, error: '' };
const equal = { ...done, out: 'nothing differs\n' };

const uid = (at: number): string => `dddddddd-0000-4000-8000-${String(at).padStart(12, '0')}`;

const node = (name: string) => ({
  kind: 'Node',
  metadata: { name },
  status: { allocatable: { cpu: '1', pods: '10' } },
});

const pod = (at: number, nodeName: string, cpu: string, phase = 'Running') => ({
  kind: 'Pod',
  metadata: { uid: uid(at), namespace: 'ns' },
  spec: { nodeName, containers: [{ resources: { requests: { cpu } } }] },
  status: { phase },
});

const claim = (at: number, pool: string, device: string) => ({
  kind: 'ResourceClaim',
  metadata: { uid: uid(at), namespace: 'ns' },
  status: { allocation: { devices: { results: [{ request: 'r', driver: 'd', pool, device }] } } },
});

const slice = (nodeName: string, devices: readonly object[], sharedCounters: readonly object[] = []) => ({
  kind: 'ResourceSlice',
  spec: { driver: 'd', nodeName, pool: { name: nodeName, generation: 1 }, devices, sharedCounters },
});

describe('fleet apply --with-consumers', () => {
  test('writes pods as consumers, once', async () => {
    const items = [node('a1'), pod(1, 'a1', '250m')];
    const { out } = await apply('a', '', ...items);
    expect(out).toMatch(new RegExp(`^create +a1 .*, \\+${uid(1)} CUSTOM_MILLICPU=250, CUSTOM_PODS=1$`, 'm'));
    const { generation } = await json<{ generation: number }>('consumer show', uid(1));
    expect(await apply('a', '', ...items)).toEqual(equal);
    expect(await json('consumer show', uid(1))).toMatchObject({ generation });
    expect(await outputOf('consumer show', uid(1))).toContain('CUSTOM_MILLICPU=250');
  });

  test('a pod that has ended and one that is gone make room for others', async () => {
    const before = [pod(11, 'b1', '800m'), pod(12, 'b2', '800m')];
    expect(await apply('b', '', node('b1'), node('b2'), ...before)).toMatchObject(done);
    const after = [pod(11, 'b1', '800m', 'Succeeded'), pod(13, 'b1', '900m'), pod(14, 'b2', '900m')];
    const items = [node('b1'), node('b2'), ...after];
    const dry = await apply('b', '--dry-run', ...items);
    expect(dry.out).toMatch(
      new RegExp(`^update +b1 +-${uid(11)}, \\+${uid(13)} CUSTOM_MILLICPU=900, CUSTOM_PODS=1$`, 'm'),
    );
    const differences = JSON.parse((await apply('b', '--dry-run --json', ...items)).out) as object[];
    expect(differences).toContainEqual({
      provider: 'b2',
      part: 'CONSUMER',
      name: uid(12),
      before: 'CUSTOM_MILLICPU=800, CUSTOM_PODS=1',
      after: null,
      outcome: 'REMOVED',
    });
    expect(differences).toHaveLength(4);
    expect(await apply('b', '', ...items)).toEqual({ ...done, out: `${dry.out}\napplied\n` });
    expect((await run('consumer show', uid(12))).code).toBe(3);
    expect(await apply('b', '', ...items)).toEqual(equal);
  });

  test('a drained node is removed with the pods that it had, and one with other consumers stays', async () => {
    const pods = [pod(21, 'c1', '100m'), pod(22, 'c2', '100m'), pod(23, 'c3', '100m')];
    expect(await apply('c', '', ...['c1', 'c2', 'c3'].map(node), ...pods)).toMatchObject(done);
    await outputOf('claim CUSTOM_MILLICPU=1 --in-tree c3 --project p --user u --type INSTANCE');
    const items = [node('c1'), pods[0]];
    const dry = await apply('c', '--dry-run --allow-removal', ...items);
    expect(dry.out).toMatch(/^remove +c2 *$/m);
    expect(dry.out).toMatch(/^in use +c3 +consumers use c3$/m);
    expect(await apply('c', '--allow-removal', ...items)).toEqual({ ...done, out: `${dry.out}\napplied\n` });
    expect((await run('provider show c2')).code).toBe(3);
    expect((await run('consumer show', uid(23))).code).toBe(3);
  });

  test('pods and claims of other owners and consumers of other types stay', async () => {
    expect(await apply('d', '', node('d1'), pod(31, 'd1', '100m'))).toMatchObject(done);
    await outputOf('claim CUSTOM_MILLICPU=1 --in-tree d1 --project p --user u --type INSTANCE');
    const devices = [{ name: 'gpu-0' }];
    const items = [node('e1'), slice('e1', devices), pod(32, 'e1', '100m'), claim(33, 'e1', 'gpu-0')];
    expect(await apply('e', '', ...items)).toMatchObject(done);
    expect(await apply('e', '', ...items.slice(0, 3))).toMatchObject(done);
    expect((await run('consumer show', uid(33))).code).toBe(3);
    expect(await apply('d', '--dry-run', node('d1'), pod(31, 'd1', '100m'))).toEqual(equal);
  });

  test('a source without pods and claims releases them only with --allow-removal', async () => {
    expect(await apply('f', '', node('f1'), pod(41, 'f1', '100m'))).toMatchObject(done);
    expect(await apply('f', '', node('f1'), node('f2'))).toMatchObject({
      code: 5,
      error: 'error: there is no pod and no claim, and 1 are stored: --allow-removal releases them\n',
    });
    expect((await run('provider show f2')).code).toBe(3);
    const path = file('f.yaml', 'root: { name: f1 }\n');
    expect(await run('fleet apply --owner f -f', path)).toEqual(equal);
    expect(await apply('f', '--allow-removal', node('f1'))).toMatchObject(done);
    expect((await run('consumer show', uid(41))).code).toBe(3);
  });

  test('a failure after the hosts were applied states their number, and no host is removed', async () => {
    expect(await apply('g', '', node('g1'), node('g2'), pod(51, 'g1', '100m'))).toMatchObject(done);
    const { code, error } = await apply('g', '', node('g1'), pod(51, 'g1', '100m'), pod(52, 'g1', '950m'));
    expect({ code, error }).toEqual({
      code: 5,
      error: expect.stringMatching(
        /^error: CAPACITY_EXCEEDED: .*; 1 of 1 hosts are applied, repeat the command\n$/,
      ),
    });
    expect((await run('provider show g2')).code).toBe(0);
  });

  test('a pod that is there twice is rejected before anything is written', async () => {
    const twice = [pod(61, 'h1', '100m'), pod(61, 'h1', '200m')];
    expect(await apply('h', '', node('h1'), ...twice)).toMatchObject({
      code: 2,
      error: `error: the consumer ${uid(61)} is there twice\n`,
    });
    expect((await run('provider show h1')).code).toBe(3);
  });

  test('a claim moves to the longer name of its device when another driver has the name too', async () => {
    const devices = [{ name: 'gpu-0' }];
    const items = [node('i1'), slice('i1', devices), claim(71, 'i1', 'gpu-0')];
    expect(await apply('i', '', ...items)).toMatchObject(done);
    const other = slice('i1', devices);
    items.push({ ...other, spec: { ...other.spec, driver: 'other' } });
    expect((await apply('i', '', ...items)).out).toMatch(/^in use +i1-gpu-0 /m);
    expect(await outputOf('consumer show', uid(71))).toContain('i1-d-gpu-0');
    expect((await apply('i', '', ...items)).out).toMatch(/^remove +i1-gpu-0/m);
    expect(await apply('i', '', ...items)).toEqual(equal);
  });

  test('a new device does not change the unit of a counter in use', async () => {
    const counters = (memory: string) => ({ memory: { value: memory } });
    const partition = (name: string, memory: string) => ({
      name,
      consumesCounters: [{ counterSet: 'set', counters: counters(memory) }],
    });
    const set = { name: 'set', counters: counters('80Gi') };
    const applyDevices = (...devices: object[]) =>
      apply('j', '', node('j1'), slice('j1', devices, [set]), claim(81, 'j1', 'p0'));
    expect(await applyDevices(partition('p0', '10Gi'))).toMatchObject(done);
    expect(await applyDevices(partition('p0', '10Gi'), partition('p1', '5243392Ki'))).toMatchObject(done);
  });
});

test('consumers of a file are written once, also with uuids in upper case', async () => {
  const path = file(
    'upper.yaml',
    `root: { name: u1, uuid: EEEEEEEE-0000-4000-8000-000000000001, inventories: { VCPU: 4 } }
allocations:
  - consumer: ABCDABCD-0000-4000-8000-000000000001
    projectId: p
    userId: u
    allocations:
      providers: [{ resourceProvider: EEEEEEEE-0000-4000-8000-000000000001, resources: { VCPU: 1 } }]
`,
  );
  expect(await run('fleet apply --owner upper -f', path)).toMatchObject(done);
  const before = await json('consumer list');
  expect(await run('fleet apply --owner upper -f', path)).toEqual(equal);
  expect(await json('consumer list')).toEqual(before);
});
