import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';
import { clientOf, runClient } from './client.js';

const { api } = useApi();
const { run, outputOf } = clientOf(api);
const OWNER = '--project p --user u';
const CONSUMER = 'cccccccc-0000-4000-8000-000000000001';
const SIZED = 'cccccccc-0000-4000-8000-000000000003';

beforeAll(async () => {
  await createProviders(api, {
    name: 'big',
    inventories: { DISK_GB: 4096 },
    children: ['big-0', 'big-1'].map((name) => ({ name, inventories: { VCPU: 8, MEMORY_MB: 16384 } })),
  });
  await createProviders(api, { name: 'sizes' });
  await api.mutate('createResourceClass', { name: 'CUSTOM_WORK' });
  for (const [name, total] of Object.entries({ 'work-1': 4, 'work-2': 4, 'rest-1': 8 })) {
    const traits = name === 'rest-1' ? ['COMPUTE_STATUS_DISABLED'] : [];
    await createProviders(api, { name, inventories: { CUSTOM_WORK: total }, traits });
  }
});

describe('a modified fleet', () => {
  const headroom = (...options: string[]) =>
    outputOf('headroom CUSTOM_WORK=4 --allow-disabled -o name', ...options);

  test('lacks hosts, has copies, and has scaled capacities', async () => {
    expect(await headroom()).toBe('4\n');
    expect(await headroom('--without work-1 --without rest-1')).toBe('1\n');
    expect(await headroom('--with-copies rest-1=20')).toBe('44\n');
    expect(await headroom('--scale CUSTOM_WORK=0.5')).toBe('1\n');
    expect(await outputOf('candidates CUSTOM_WORK=3 --with-copies work-2=1')).toContain('work-2 (copy 1.1)');
    expect(await outputOf('why CUSTOM_WORK=5 --scale CUSTOM_WORK=2')).toContain('2 of ');
  });

  test('is for plans only', async () => {
    expect(await run('drain work-1 --scale CUSTOM_WORK=2')).toMatchObject({ code: 2 });
    expect(await outputOf('drain work-1 --scale CUSTOM_WORK=2 --dry-run')).toContain('no consumers');
  });

  test.each([
    '--scale CUSTOM_WORK',
    '--scale CUSTOM_WORK=-1',
    '--with-copies work-1=0',
    '--without work-1 --without-aggregate rack',
  ])('%s is rejected', async (options) => {
    expect(await run('headroom CUSTOM_WORK=1', options)).toMatchObject({ code: 2 });
  });
});

describe('a drain of several hosts', () => {
  test('names providers or an aggregate, and moves nothing from one to another', async () => {
    expect((await run('drain')).code).toBe(2);
    expect((await run('drain work-1 --aggregate rack')).code).toBe(2);
    await outputOf('claim CUSTOM_WORK=1 --in-tree work-1', OWNER, '--consumer', CONSUMER);
    expect((await run('drain work-1 work-2')).code).toBe(5);
    expect(await outputOf('drain work-1 --dry-run')).toContain('work-2: CUSTOM_WORK=1');
    await outputOf('release', CONSUMER);
  });
});

describe('amounts', () => {
  test('have = or :, and sizes in the unit of the class', async () => {
    const { out } = await run('candidates VCPU:4 MEMORY_MB=1.5G DISK_GB:2TiB --limit 1');
    expect(out.match(/\w+=\d+(?![\d/])/g)!.sort()).toEqual(['DISK_GB=2048', 'MEMORY_MB=1536', 'VCPU=4']);
  });

  test('are the same in groups, inventories and allocations', async () => {
    expect(await outputOf('headroom --group a:VCPU:8,MEMORY_MB:1G -o name')).toBe('2\n');
    await outputOf('inventory set sizes VCPU:4 MEMORY_MB=2G MEMORY_MB:reserved=512M');
    expect(await outputOf('inventory list sizes')).toMatch(/^MEMORY_MB +2048 +512 /m);
    await outputOf('consumer', 'set', SIZED, '--allocation', 'sizes:VCPU:1,MEMORY_MB=1G', OWNER);
    expect(await outputOf('consumer list --in-tree sizes')).toContain('sizes: MEMORY_MB=1024, VCPU=1');
  });

  test.each([
    ['VCPU=1G', 'VCPU=1G: only amounts of classes such as MEMORY_MB can be sizes'],
    ['DISK_GB=100M', 'DISK_GB=100M must be a whole number of at most 2147483647'],
    ['VCPU=99999999999', 'VCPU=99999999999 must be a whole number of at most 2147483647'],
    ['VCPU=4x', 'must be a whole number'],
    ['VCPU', '"VCPU" must be a resource class and an amount, such as VCPU=2 or MEMORY_MB=4G'],
  ])('%s is reported', async (amount, message) => {
    const error = expect.stringContaining(message) as unknown;
    expect(await run('candidates', amount)).toMatchObject({ code: 2, error });
  });
});

describe('defaults of a request', () => {
  test('prefer the fewest providers, unless another order is given', async () => {
    for (let seed = 0; seed < 8; seed++) {
      const { out } = await run('candidates VCPU=2 MEMORY_MB=1G --limit 1 --seed', String(seed));
      expect(new Set(out.match(/big-\d/g))).toHaveProperty('size', 1);
    }
    const { out } = await run('candidates VCPU=2 MEMORY_MB=1G --order spread:VCPU --json');
    expect(out.match(/"claimToken"/g)).toHaveLength(4);
  });

  test('exclude hosts in maintenance, in files, too, unless they are allowed', async () => {
    expect((await run('candidates CUSTOM_WORK=1 --root-forbidden COMPUTE_NODE')).out).not.toContain('rest-1');
    expect((await run('candidates CUSTOM_WORK=1 --allow-disabled')).out).toContain('rest-1');
    const request = { groups: [{ resources: { CUSTOM_WORK: 5 } }] };
    const fromFile = (more: object) =>
      runClient(api.url, ['candidates', '--request', '-'], {
        input: JSON.stringify({ ...request, ...more }),
      });
    expect(await fromFile({})).toMatchObject({ code: 0, out: 'no candidates: `why` tells the reason\n' });
    expect((await fromFile({ rootForbiddenTraits: [] })).out).toContain('rest-1');
    expect((await run('why CUSTOM_WORK=5')).out).toContain('COMPUTE_STATUS_DISABLED');
  });

  test('exclude hosts in maintenance from drains', async () => {
    await outputOf('claim CUSTOM_WORK=4 --in-tree work-1', OWNER, '--consumer', CONSUMER);
    expect(await outputOf('drain work-1 --dry-run')).toContain('work-2: CUSTOM_WORK=4');
    const blocker = 'cccccccc-0000-4000-8000-000000000002';
    await outputOf('claim CUSTOM_WORK=1 --in-tree work-2', OWNER, '--consumer', blocker);
    const { code, out } = await run('drain work-1');
    expect(code).toBe(5);
    expect(out).toContain('CANNOT GO');
    await outputOf('release', CONSUMER, blocker);
  });
});

test('move --dry-run shows the new place, as if the consumer had released the old one', async () => {
  await outputOf('claim CUSTOM_WORK=3 --in-tree work-1', OWNER, '--consumer', CONSUMER);
  const shown = new RegExp(`^MEMBER +CONSUMER +PROVIDER +TAKES\n\\S+ +${CONSUMER} +work-2 +CUSTOM_WORK=3\n`);
  expect(await outputOf('move', CONSUMER, '--dry-run')).toMatch(shown);
  const resized = 'CUSTOM_WORK=4 --allow-same-tree --in-tree work-1 --dry-run';
  expect(await outputOf('move', CONSUMER, resized)).toContain('work-1    CUSTOM_WORK=4');
  expect(await run('move', CONSUMER, 'CUSTOM_WORK=5 --dry-run')).toEqual({
    code: 5,
    error: '',
    out: expect.stringMatching(/^impossible: /) as unknown,
  });
  expect(await outputOf('consumer', 'show', CONSUMER)).toMatch(/^generation +1$/m);
});
