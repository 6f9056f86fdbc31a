import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { applyProviderTree } from '../../src/ledger/tree/providerTree.js';
import type { DesiredProvider } from '../../src/ledger/tree/treeInput.js';
import { createTrait } from '../../src/ledger/provider/traits.js';
import { expectRefused, inventory, uniqueNames } from './support.js';
import { aConsumer, apply, consumerOf, grow, shapeOf } from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();
beforeAll(async () => {
  await createTrait(database.ledger, { name: 'CUSTOM_GOLD' });
});

type Refusal = Parameters<typeof expectRefused>[2];

/** Applied, and applied in a dry run: refused in the same way, and without a trace. */
async function refused(
  root: DesiredProvider,
  refusal: Refusal,
  allocations?: Parameters<typeof apply>[2],
): Promise<void> {
  for (const dryRun of [true, false]) {
    await expectRefused(database, () => apply(database, root, allocations, dryRun), refusal);
  }
}

const invalid = (path: string): Refusal => ({ code: 'INVALID_INPUT', path: path.split('.') });

describe('INVALID_INPUT', () => {
  const uuid = randomUUID();
  const twice = [inventory('VCPU', 1), inventory('VCPU', 2)];
  const child = (...children: DesiredProvider[]): DesiredProvider => ({
    name: 'invalid',
    children: [{ name: 'ok' }, { name: 'deep', children }],
  });
  const x = { name: 'x' };
  const cases: [string, DesiredProvider, string][] = [
    ['decision D7: a name twice', child({ name: 'x' }, { name: 'ok' }), '1.name'],
    ['decision D7: a uuid twice', child({ ...x, uuid }, { name: 'y', uuid }), '1.uuid'],
    ['decision D7: a class twice', child({ ...x, inventories: twice }), '0.inventories.1.resourceClass'],
    ['decision D7: a trait twice', child({ ...x, traits: ['CUSTOM_GOLD', 'CUSTOM_GOLD'] }), '0.traits.1'],
    ['decision D7: an aggregate twice', child({ ...x, aggregates: [uuid, uuid] }), '0.aggregates.1'],
    ['decision D12: an unknown trait', child({ ...x, traits: ['CUSTOM_GOLD', 'CUSTOM_LEAD'] }), '0.traits.1'],
    [
      'decision D12: an unknown class',
      child({ ...x, inventories: [inventory('CUSTOM_X', 1)] }),
      '0.inventories.0.resourceClass',
    ],
    [
      'rule 191: reserved above total',
      child({ ...x, inventories: [inventory('VCPU', 1, { reserved: 2 })] }),
      '0.inventories.0.reserved',
    ],
    [
      'rule 22: a ratio of 0',
      child({ ...x, inventories: [inventory('VCPU', 1, { allocationRatio: 0 })] }),
      '0.inventories.0.allocationRatio',
    ],
    ['rule 6: an empty name', child({ name: '' }), '0.name'],
    ['rule 6: a name of 201 characters', { name: 'x'.repeat(201) }, 'root.name'],
    ['the first in the order of the input', child({ name: '' }, { name: 'ok' }), '0.name'],
  ];
  test.each(cases)('%s', (_title, root, path) =>
    refused(root, invalid(path.startsWith('root') ? path : `root.children.1.children.${path}`)),
  );

  test('a root.uuid that is no root', async () => {
    const n = uniqueNames();
    const old = await grow(database, { name: n('cn'), children: [{ name: n('a') }] });
    await refused({ uuid: old[n('a')], name: '' }, invalid('root.uuid'));
  });

  test('decision D7, rules 3, 11, 93: what is wrong with allocations, after what is wrong with the tree', async () => {
    const n = uniqueNames();
    const { [n('cn')]: cn } = await grow(database, { name: n('cn'), inventories: { VCPU: 4 } });
    const consumer = consumerOf(randomUUID(), { [cn]: { VCPU: 1 } });
    await refused({ name: n('cn') }, invalid('allocations.1.consumer'), [consumer, consumer]);
    await refused({ name: n('cn') }, invalid('allocations.0.projectId'), [{ ...consumer, projectId: '' }]);
    const zero = consumerOf(randomUUID(), { [cn]: { VCPU: 0 } });
    await refused({ name: n('cn') }, invalid('allocations.0.allocations.providers.0.resources.0.amount'), [
      zero,
    ]);
    await refused({ name: n('cn'), traits: ['LEAD'] }, invalid('root.traits.0'), [zero]);
  });

  test('a generation of a provider that is named only, and is not there', async () => {
    const n = uniqueNames();
    await refused({ name: n('cn'), generation: 3 }, invalid('root.generation'));
  });

  test('two spellings that the database takes for one name', async () => {
    const n = uniqueNames();
    await refused(
      { name: n('cn'), children: [{ name: 'a' }, { name: 'A' }, { name: 'b' }, { name: 'b ' }] },
      invalid('root.children.3.name'),
    );
    await grow(database, { name: n('cn'), children: [{ name: n('a') }, { name: n('A') }] });
  });
});

describe('NOT_FOUND', () => {
  test('decision D12: a provider in allocations that is neither there nor created', async () => {
    const n = uniqueNames();
    const [uuid, unknown] = [randomUUID(), randomUUID()];
    const root = { uuid, name: n('cn'), inventories: [inventory('VCPU', 4)] };
    await refused(root, { code: 'NOT_FOUND', entity: 'RESOURCE_PROVIDER', key: unknown }, [
      consumerOf(randomUUID(), { [uuid]: { VCPU: 1 } }),
      consumerOf(randomUUID(), { [unknown]: { VCPU: 1 } }),
    ]);
  });
});

describe('DUPLICATE_NAME', () => {
  test('a name that another tree has, for a new provider and for a new name', async () => {
    const n = uniqueNames();
    await grow(database, { name: n('other'), children: [{ name: n('taken') }] });
    const old = await grow(database, { name: n('cn'), children: [{ name: n('a') }] });
    const duplicate = { code: 'DUPLICATE_NAME', providerName: n('taken') };
    await refused({ name: n('cn'), children: [{ name: n('taken') }] }, duplicate);
    await refused({ name: n('cn'), children: [{ uuid: old[n('a')], name: n('taken') }] }, duplicate);
    await refused({ uuid: old[n('cn')], name: n('taken') }, duplicate);
    await refused({ name: n('taken') }, duplicate);
    await refused({ uuid: randomUUID(), name: n('other') }, { ...duplicate, providerName: n('other') });
  });

  test('a name that stays in the tree below a provider whose children are not stated', async () => {
    const n = uniqueNames();
    await grow(database, { name: n('cn'), children: [{ name: n('a'), children: [{ name: n('b') }] }] });
    const root = { name: n('cn'), children: [{ name: n('a') }, { uuid: randomUUID(), name: n('b') }] };
    await refused(root, { code: 'DUPLICATE_NAME', providerName: n('b') });
  });

  test('names whose holder is moved in, renamed or deleted by the same input are free', async () => {
    const n = uniqueNames();
    const other = await grow(database, { name: n('other'), children: [{ name: n('a') }, { name: n('b') }] });
    await grow(database, { name: n('cn') });
    const { rootUuid } = await apply(database, {
      name: n('cn'),
      children: [
        { uuid: other[n('other')], name: n('moved'), children: [{ uuid: other[n('a')], name: n('other') }] },
        { uuid: randomUUID(), name: n('b') },
        { uuid: randomUUID(), name: n('a') },
      ],
    });
    const shape = `${n('cn')}@0(${n('a')}@0 ${n('b')}@0 ${n('moved')}@1(${n('other')}@1))`;
    expect(await shapeOf(database, rootUuid!)).toBe(shape);
  });
});

describe('conflicts of generations', () => {
  test('decision D6: a provider that differs and is not at the generation given, the first in the order of the input', async () => {
    const n = uniqueNames();
    const old = await grow(database, { name: n('cn'), children: [{ name: n('a') }, { name: n('b') }] });
    const differs = (name: string, generation: number) => ({
      name: n(name),
      generation,
      traits: ['CUSTOM_GOLD'],
    });
    await refused(
      { name: n('cn'), generation: 7, children: [differs('a', 0), differs('b', 1)] },
      {
        code: 'PROVIDER_GENERATION_CONFLICT',
        resourceProviderUuid: old[n('b')],
        expectedGeneration: 1,
        currentGeneration: 0,
      },
    );
    const moved = {
      name: n('cn'),
      children: [{ name: n('a'), children: [{ name: n('b'), generation: 5 }] }],
    };
    await refused(moved, { code: 'PROVIDER_GENERATION_CONFLICT', resourceProviderUuid: old[n('b')] });
  });

  test('decision D6: a provider expected at a generation that does not exist', async () => {
    const n = uniqueNames();
    const uuid = randomUUID();
    await refused(
      { uuid, name: n('cn'), generation: 0 },
      {
        code: 'PROVIDER_GENERATION_CONFLICT',
        resourceProviderUuid: uuid,
        expectedGeneration: 0,
        currentGeneration: null,
      },
    );
  });

  test('rule 83: a consumer that differs and is not as expected', async () => {
    const n = uniqueNames();
    const { [n('cn')]: cn } = await grow(database, { name: n('cn'), inventories: { VCPU: 4 } });
    const consumer = await aConsumer(database, { [cn]: { VCPU: 1 } });
    const conflict = { code: 'CONSUMER_GENERATION_CONFLICT', consumerUuid: consumer, currentGeneration: 1 };
    for (const expected of [null, 0, 2]) {
      const change = consumerOf(consumer, { [cn]: { VCPU: 2 } }, expected);
      await refused({ name: n('cn') }, { ...conflict, expectedGeneration: expected }, [change]);
    }
    const unknown = randomUUID();
    await refused(
      { name: n('cn') },
      { ...conflict, consumerUuid: unknown, expectedGeneration: 4, currentGeneration: null },
      [consumerOf(unknown, { [cn]: { VCPU: 1 } }, 4)],
    );
  });
});

test('of several refusals the one that comes first in the vocabulary is given', async () => {
  const n = uniqueNames();
  await grow(database, { name: n('other') });
  const old = await grow(database, { name: n('cn'), inventories: { VCPU: 4 }, children: [{ name: n('a') }] });
  const cn = old[n('cn')];
  const consumer = await aConsumer(database, { [cn]: { VCPU: 1 } });
  const traits = ['CUSTOM_GOLD'];
  const lost = consumerOf(consumer, { [cn]: { VCPU: 3 } }, 9);
  const nowhere = consumerOf(randomUUID(), { [randomUUID()]: { VCPU: 1 } });

  await refused({ uuid: cn, name: n('cn'), inventories: [] }, { code: 'RESHAPE_NEEDED' });
  await refused({ uuid: cn, name: n('cn'), inventories: [] }, { code: 'RESHAPE_REFUSED' }, []);
  await refused({ name: n('cn'), inventories: [] }, { code: 'CONSUMER_GENERATION_CONFLICT' }, [lost]);
  const stale = { name: n('a'), generation: 5, traits };
  const staleToo = { uuid: cn, name: n('cn'), inventories: [], children: [stale] };
  await refused(staleToo, { code: 'PROVIDER_GENERATION_CONFLICT' });
  await refused(staleToo, { code: 'PROVIDER_GENERATION_CONFLICT' }, [lost]);
  await refused({ ...staleToo, name: n('other') }, { code: 'DUPLICATE_NAME' }, [lost]);
  await refused({ ...staleToo, name: n('other') }, { code: 'NOT_FOUND' }, [lost, nowhere]);
  await refused({ ...staleToo, name: '' }, { code: 'INVALID_INPUT' }, [lost, nowhere]);
});

describe('a database that ignores case', () => {
  const ignoring = useDatabase();
  beforeAll(() =>
    ignoring.pool.query(
      'ALTER TABLE resource_providers CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
    ),
  );
  const put = (root: DesiredProvider) => applyProviderTree(ignoring.ledger, { root });

  test('rule 7: a name that it cannot hold beside another is refused, in the tree and outside', async () => {
    await put({ name: 'other', children: [{ name: 'gpu' }] });
    const { rootUuid } = await put({ name: 'cn', children: [{ name: 'a' }, { name: 'b' }] });
    const refuse = (root: DesiredProvider, refusal: Refusal) =>
      expectRefused(ignoring, () => put(root), refusal);
    await refuse(
      { name: 'x', children: [{ name: 'y' }, { name: 'GPU' }] },
      { code: 'DUPLICATE_NAME', providerName: 'GPU' },
    );
    await refuse({ name: 'CN' }, { code: 'DUPLICATE_NAME', providerName: 'CN' });
    await refuse(
      { name: 'z', children: [{ name: 'new' }, { name: 'New' }] },
      invalid('root.children.1.name'),
    );
    const applied = await put({ uuid: rootUuid, name: 'CN', children: [{ name: 'A' }, { name: 'b' }] });
    expect(applied.changes.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'UPDATE CN',
      'CREATE A',
      'DELETE a',
    ]);
  });

  test('rule 7: names may be swapped in another spelling', async () => {
    const { changes } = await put({ name: 'swap', children: [{ name: 'p' }, { name: 'q' }] });
    const [{ uuid }, p, q] = changes;
    await put({
      uuid,
      name: 'swap',
      children: [
        { uuid: p.uuid, name: 'Q' },
        { uuid: q.uuid, name: 'P' },
      ],
    });
    expect(await shapeOf(ignoring, uuid!)).toBe('swap@0(P@1 Q@1)');
  });
});
