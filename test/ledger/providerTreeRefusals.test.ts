import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { setAllocations } from '../../src/store/ledger/allocation/claimQueue.js';
import type { DesiredProvider } from '../../src/store/ledger/tree/treeInput.js';
import { createTrait } from '../../src/store/ledger/provider/traits.js';
import { inventory, times, type Refusal } from './support.js';
import { apply, consumerOf, expectTreeRefused, grow, shapeOf } from './treeSupport.js';
import { useDatabase } from '../support/useDatabase.js';

const database = useDatabase();
const [CN, A, B, CONSUMER, NEW, UNKNOWN] = times(6, () => randomUUID());

/** Two trees; the consumer has VCPU 1 of the second one. No refused input changes them. */
beforeAll(async () => {
  await createTrait(database.ledger, { name: 'CUSTOM_GOLD' });
  await grow(database, { name: 'other', children: [{ name: 'taken' }] });
  await grow(database, {
    uuid: CN,
    name: 'cn',
    inventories: { VCPU: 4 },
    children: [
      { uuid: A, name: 'a' },
      { uuid: B, name: 'b' },
      { name: 'c', children: [{ name: 'deep' }] },
    ],
  });
  await setAllocations(database.claims, { consumers: [consumerOf(CONSUMER, { [CN]: { VCPU: 1 } })] });
});

type Case = [title: string, DesiredProvider, Refusal, allocations?: Parameters<typeof expectTreeRefused>[3]];

const invalid = (path: string): Refusal => ({ code: 'INVALID_INPUT', path: path.split('.') });

/** The children of a new tree that are wrong, and the path below them. */
const WRONG_CHILDREN: [title: string, children: Partial<DesiredProvider>[], path: string][] = [
  ['decision D7: a name twice', [{ name: 'x' }, { name: 'ok' }], '1.name'],
  ['decision D7: a uuid twice', [{ uuid: NEW }, { name: 'y', uuid: NEW }], '1.uuid'],
  [
    'decision D7: a class twice',
    [{ inventories: [inventory('VCPU', 1), inventory('VCPU', 2)] }],
    '0.inventories.1.resourceClass',
  ],
  ['decision D7: a trait twice', [{ traits: ['CUSTOM_GOLD', 'CUSTOM_GOLD'] }], '0.traits.1'],
  ['decision D7: an aggregate twice', [{ aggregates: [NEW, NEW] }], '0.aggregates.1'],
  ['decision D12: an unknown trait', [{ traits: ['CUSTOM_GOLD', 'CUSTOM_LEAD'] }], '0.traits.1'],
  [
    'decision D12: an unknown class',
    [{ inventories: [inventory('CUSTOM_X', 1)] }],
    '0.inventories.0.resourceClass',
  ],
  [
    'rule 191: reserved above total',
    [{ inventories: [inventory('VCPU', 1, { reserved: 2 })] }],
    '0.inventories.0.reserved',
  ],
  [
    'rule 22: a ratio of 0',
    [{ inventories: [inventory('VCPU', 1, { allocationRatio: 0 })] }],
    '0.inventories.0.allocationRatio',
  ],
  ['rule 6: an empty name', [{ name: '' }], '0.name'],
  ['the first in the order of the input', [{ name: '' }, { name: 'ok' }], '0.name'],
];

const wrongTree = (children: Partial<DesiredProvider>[]): DesiredProvider => ({
  name: 'invalid',
  children: [{ name: 'ok' }, { name: 'deep', children: children.map((child) => ({ name: 'x', ...child })) }],
});

const cn = { name: 'cn' };
const traits = ['CUSTOM_GOLD'];
/** What a consumer takes of the root, and its expected generation. */
const takes = (VCPU: number, generation: number | null = null, consumer = CONSUMER) =>
  consumerOf(consumer, { [CN]: { VCPU } }, generation);

const INVALID: Case[] = [
  ...WRONG_CHILDREN.map(([title, children, path]): Case => [
    title,
    wrongTree(children),
    invalid(`root.children.1.children.${path}`),
  ]),
  ['rule 6: a name of 201 characters', { name: 'x'.repeat(201) }, invalid('root.name')],
  ['a root.uuid that is no root', { uuid: A, name: '' }, invalid('root.uuid')],
  ['decision D7: a consumer twice', cn, invalid('allocations.1.consumer'), [takes(1), takes(1)]],
  ['rule 11: no project', cn, invalid('allocations.0.projectId'), [{ ...takes(1), projectId: '' }]],
  [
    'rule 93: an amount of 0',
    cn,
    invalid('allocations.0.allocations.providers.0.resources.0.amount'),
    [takes(0)],
  ],
  ['the tree before the allocations', { ...cn, traits: ['LEAD'] }, invalid('root.traits.0'), [takes(0)]],
  [
    'a generation of a provider that is named only, and is not there',
    { name: 'x', generation: 3 },
    invalid('root.generation'),
  ],
  [
    'two spellings that the database takes for one name',
    { ...cn, children: [{ name: 'x' }, { name: 'X' }, { name: 'y' }, { name: 'y ' }] },
    invalid('root.children.3.name'),
  ],
];

const duplicate = (providerName: string): Refusal => ({ code: 'DUPLICATE_NAME', providerName });
const TAKEN: Case[] = [
  ['a new child', { ...cn, children: [{ name: 'taken' }] }, duplicate('taken')],
  ['a renamed child', { ...cn, children: [{ uuid: A, name: 'taken' }] }, duplicate('taken')],
  ['a renamed root', { uuid: CN, name: 'taken' }, duplicate('taken')],
  ['a new root', { name: 'taken' }, duplicate('taken')],
  ['a new root with the name of another', { uuid: NEW, name: 'other' }, duplicate('other')],
  [
    'a name below a provider whose children are not stated',
    { ...cn, children: [{ name: 'c' }, { uuid: NEW, name: 'deep' }] },
    duplicate('deep'),
  ],
];

/** A conflict of this provider or consumer at these generations. */
const conflict = (
  of: 'resourceProvider' | 'consumer',
  uuid: string,
  expectedGeneration: number | null,
  currentGeneration: number | null,
): Refusal => ({
  code: `${of === 'consumer' ? 'CONSUMER' : 'PROVIDER'}_GENERATION_CONFLICT`,
  [`${of}Uuid`]: uuid,
  expectedGeneration,
  currentGeneration,
});
const STALE: Case[] = [
  [
    'decision D6: the first provider that differs, not one that stays',
    {
      ...cn,
      generation: 7,
      children: [
        { name: 'a', generation: 0, traits },
        { name: 'b', generation: 1, traits },
      ],
    },
    conflict('resourceProvider', B, 1, 0),
  ],
  [
    'decision D6: a provider that moves',
    { ...cn, children: [{ name: 'a', children: [{ name: 'b', generation: 5 }] }] },
    conflict('resourceProvider', B, 5, 0),
  ],
  [
    'decision D6: a provider that does not exist',
    { uuid: NEW, name: 'x', generation: 0 },
    conflict('resourceProvider', NEW, 0, null),
  ],
  ...[null, 0, 2].map((expected): Case => [
    `rule 83: a consumer that differs, expected at ${expected}`,
    cn,
    conflict('consumer', CONSUMER, expected, 1),
    [takes(2, expected)],
  ]),
  [
    'rule 83: a consumer that does not exist',
    cn,
    conflict('consumer', UNKNOWN, 4, null),
    [takes(1, 4, UNKNOWN)],
  ],
];

const emptied = { uuid: CN, name: 'cn', inventories: [] };
const stale = { ...emptied, children: [{ name: 'a', generation: 5, traits }] };
const lost = takes(3, 9);
const nowhere = consumerOf(NEW, { [UNKNOWN]: { VCPU: 1 } });
/** Inputs with several reasons, in which the first of the vocabulary is given. */
const FIRST: [DesiredProvider, code: string, allocations?: Case[3]][] = [
  [emptied, 'RESHAPE_NEEDED'],
  [emptied, 'RESHAPE_REFUSED', []],
  [emptied, 'CONSUMER_GENERATION_CONFLICT', [lost]],
  [stale, 'PROVIDER_GENERATION_CONFLICT'],
  [stale, 'PROVIDER_GENERATION_CONFLICT', [lost]],
  [{ ...stale, name: 'other' }, 'DUPLICATE_NAME', [lost]],
  [{ ...stale, name: 'other' }, 'NOT_FOUND', [lost, nowhere]],
  [{ ...stale, name: '' }, 'INVALID_INPUT', [lost, nowhere]],
];

test.each<Case>([
  ...INVALID,
  [
    'NOT_FOUND (decision D12): a provider in allocations that is neither there nor created',
    { uuid: NEW, name: 'x', inventories: [inventory('VCPU', 4)] },
    { code: 'NOT_FOUND', entity: 'RESOURCE_PROVIDER', key: UNKNOWN },
    [consumerOf(CONSUMER, { [NEW]: { VCPU: 1 } }), nowhere],
  ],
  ...TAKEN,
  ...STALE,
  ...FIRST.map(([root, code, ...rest]): Case => [`${code} comes first`, root, { code }, ...rest]),
])('%s', (...[, root, refusal, allocations]) => expectTreeRefused(database, root, refusal, allocations));

test('names whose holder is moved in, renamed or deleted by the same input are free', async () => {
  const from = await grow(database, { name: 'from', children: [{ name: 'p' }, { name: 'q' }] });
  await grow(database, { name: 'into' });
  const { rootUuid } = await apply(database, {
    name: 'into',
    children: [
      { uuid: from.from, name: 'moved', children: [{ uuid: from.p, name: 'from' }] },
      { uuid: randomUUID(), name: 'q' },
      { uuid: randomUUID(), name: 'p' },
    ],
  });
  expect(await shapeOf(database, rootUuid!)).toBe('into@0(moved@1(from@1) p@0 q@0)');
});

test('names that differ by case are different', async () => {
  await grow(database, { name: 'spelled', children: [{ name: 'spelled a' }, { name: 'spelled A' }] });
});
