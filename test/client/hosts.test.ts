import { beforeAll, describe, expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { createProviders } from '../support/createProviders.js';
import { unchanged } from '../support/unchanged.js';
import { clientOf } from './client.js';

const { api, database } = useApi();
const { run, outputOf, json } = clientOf(api);

const GUEST = 'cccccccc-0000-4000-8000-000000000001';
const PCI = 'host_0000:81:00.0';
const LIKE_A_UUID = 'eeeeeeee-0000-4000-8000-000000000001';

beforeAll(async () => {
  await createProviders(api, {
    name: 'host',
    inventories: { DISK_GB: 10 },
    children: [
      { name: 'host-a', inventories: { VCPU: 8 }, children: [{ name: 'host-a-gpu' }] },
      { name: 'host-b', inventories: { VCPU: 8 } },
    ],
  });
  await createProviders(api, { name: PCI, inventories: { VGPU: 4, VCPU: 4 } });
  await createProviders(api, { name: LIKE_A_UUID, inventories: { VCPU: 4 } });
});

describe('names', () => {
  const owner = '--project p --user u';

  test.each([
    [`${PCI}:VGPU=1`, { VGPU: 1 }],
    [`${PCI}:VGPU:2,VCPU=1`, { VGPU: 2, VCPU: 1 }],
    [`rp=${PCI},VGPU=3`, { VGPU: 3 }],
  ])('consumer set --allocation %s finds the provider whose name has colons', async (allocation, amounts) => {
    const set = await json<{ allocations: { resourceClass: { name: string }; amount: number }[] }>(
      `consumer set ${GUEST} ${owner} --allocation ${allocation}`,
    );
    const found = set.allocations.map(({ resourceClass, amount }) => [resourceClass.name, amount]);
    expect(Object.fromEntries(found)).toEqual(amounts);
    await outputOf('release', GUEST);
  });

  test('name= precedes the name of a provider that is like a uuid, which a failure says', async () => {
    const refused = await run('provider show', LIKE_A_UUID);
    expect(refused).toMatchObject({
      code: 3,
      error: expect.stringContaining(
        `; name=${LIKE_A_UUID} is the resource provider with this name`,
      ) as unknown,
    });
    const named = `name=${LIKE_A_UUID}`;
    expect(await json('provider show', named)).toMatchObject({ name: LIKE_A_UUID });
    expect(await json('inventory set', named, 'VCPU=5')).toMatchObject([{ total: 5 }]);
    const allocation = `--allocation ${named}:VCPU=1`;
    expect((await run(`consumer set ${GUEST} ${owner} ${allocation}`)).code).toBe(0);
    expect(await outputOf('consumer show', GUEST)).toContain(LIKE_A_UUID);
    await outputOf('release', GUEST);
  });

  test('errors name the objects that the user has named', async () => {
    await outputOf('aggregate add host aaaaaaaa-0000-4000-8000-00000000000a');
    await outputOf('aggregate name aaaaaaaa-0000-4000-8000-00000000000a zone-1');
    await outputOf(`claim VCPU=1 --in-subtree host-b ${owner} --consumer ${GUEST}`);
    const used = (
      await json<{ allocations: { resourceProvider: { name: string } }[] }>('consumer show', GUEST)
    ).allocations[0].resourceProvider.name;
    const error = async (...line: string[]): Promise<string> => (await run(...line)).error;
    expect(await error('provider delete', used)).toMatch(
      new RegExp(`^error: PROVIDER_IN_USE: resource provider "${used}" has .* ${GUEST}\\n$`),
    );
    expect(await error('inventory delete', used, 'VCPU')).toContain(`of resource provider "${used}" has`);
    expect(await error('provider set host --parent host-b')).toContain(
      'resource provider "host" cannot be moved under "host-b"',
    );
    expect(await error('aggregate delete zone-1')).toContain(
      'aggregate "zone-1" contains resource providers: "host"',
    );
    expect(await error(`consumer set ${GUEST} ${owner} --allocation ${used}:VCPU=99`)).toContain(
      `resource provider "${used}" has 8 of VCPU`,
    );
    await outputOf('release', GUEST);
    await outputOf('aggregate clear host');
  });

  test('a size with a unit of powers of 1000 is explained', async () => {
    expect(await run('candidates MEMORY_MB=4GB')).toEqual({
      code: 2,
      out: '',
      error:
        'error: MEMORY_MB=4GB must be a whole number, or a size: 4G or 4GiB is 4 * 1024^3 bytes (K, M, G, T, P)\n',
    });
  });
});

describe('cordon and uncordon', () => {
  const fitting = async (): Promise<string> => outputOf('candidates DISK_GB=1 -o csv');

  test('begin and end maintenance of whole hosts; repeating them changes nothing', async () => {
    expect(await json('cordon host')).toMatchObject([{ name: 'host', inMaintenance: true, changed: true }]);
    expect(await outputOf('provider show host')).toMatch(/^traits +COMPUTE_STATUS_DISABLED$/m);
    expect(await fitting()).not.toContain('host');
    expect(await json('cordon', 'host', PCI)).toMatchObject([{ changed: false }, { changed: true }]);
    expect(await outputOf('uncordon', 'host', PCI)).toMatch(
      new RegExp(`^HOST +UUID +IN MAINTENANCE +CHANGED\\nhost .* no +yes\\n${PCI} .* no +yes\\n$`),
    );
    expect(await fitting()).toContain('host');
  });

  test.each([
    ['cordon host host-a', 2, 'error: "host-a" is part of "host": cordon the whole host\n'],
    ['cordon host hots', 3, 'error: NOT_FOUND: there is no resource provider "hots"; did you mean "host"'],
  ])('%s changes nothing', async (line, code, message) => {
    const ended = await unchanged(database, () => run(line));
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.error).toContain(message);
  });
});

describe('provider delete', () => {
  test('--recursive deletes nothing if a provider is in use, and names the first one', async () => {
    await outputOf(`claim VCPU=1 --in-subtree host-b --project p --user u --consumer ${GUEST}`);
    for (const option of [[], ['--dry-run']]) {
      const refused = await unchanged(database, () =>
        run('provider delete --recursive', PCI, 'host', ...option),
      );
      expect(refused).toEqual({
        code: 5,
        out: '',
        error: `error: PROVIDER_IN_USE: resource provider "host-b" has allocations of consumer ${GUEST}\n`,
      });
    }
    await outputOf('release', GUEST);
  });

  test.each([
    [
      `provider delete ${PCI} host`,
      5,
      'PROVIDER_HAS_CHILDREN: resource provider "host" has children: "host-a"',
    ],
    [`provider delete ${PCI} hots`, 3, 'no resource provider'],
    [`provider delete ${PCI} ${PCI}`, 2, 'given twice'],
  ])('%s deletes nothing', async (line, code, message) => {
    const ended = await unchanged(database, () => run(line));
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.error).toContain(message);
  });

  test('--recursive deletes whole trees, and shows them first in a dry run', async () => {
    const line = `provider delete --recursive host ${PCI}`;
    const tree = `host .*\nhost-a .*\nhost-a-gpu .*\nhost-b .*\n${PCI} .*\n$`;
    const dry = await unchanged(database, () => outputOf(line, '--dry-run'));
    expect(dry).toMatch(new RegExp(`^WOULD BE DELETED +UUID\n${tree}`));
    expect(await outputOf(line)).toMatch(new RegExp(`^DELETED +UUID\n${tree}`));
    expect(await outputOf('provider list -o name')).toBe(`${LIKE_A_UUID}\n`);
  });

  test('children can be deleted together with their parents, without --recursive', async () => {
    await createProviders(api, { name: 'top', children: [{ name: 'below' }] });
    expect(await outputOf('provider delete top below')).toMatch(/^deleted \S{36}, \S{36}\n$/);
  });
});
