import { readdirSync, readFileSync } from 'node:fs';
import { getOperationAST, parse, validate, type OperationDefinitionNode } from 'graphql';
import { describe, expect, test } from '@jest/globals';
import { OPERATION_LIMITS } from '../../src/model/operation/admission.js';
import { entriesIn, longestListIn } from '../../src/api/cost/operationCost.js';
import { buildSchema } from '../../src/api/schema.js';
import { OperationValues } from '../../src/server/graphql/values.js';
import { fc, SEED } from '../support/fastCheck.js';
import { cases } from '../support/length.js';

const schema = buildSchema();

function valuesOf(query: string, variableValues: Record<string, unknown> = {}): OperationValues {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  return new OperationValues({ schema, document, variableValues }, getOperationAST(document)!);
}

/** Returns a list that counts how often its entries are read. */
function countedList(length: number): { readonly list: readonly string[]; readonly reads: () => number } {
  let reads = 0;
  const list = new Proxy(Array<string>(length).fill(''), {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { list, reads: () => reads };
}

const drawn = fc.record({
  length: fc.nat(200),
  references: fc.integer({ min: 1, max: 50 }),
  spreads: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }),
});

describe('the values of an operation after its variables are inserted', () => {
  test('are counted for each reference and spread, but each variable is read once', () => {
    fc.assert(
      fc.property(drawn, ({ length, references, spreads }) => {
        const { list, reads } = countedList(length);
        const fragments = spreads.map(
          (times, at) => `fragment F${at} on Query { ${`...F${at + 1} `.repeat(times)} }`,
        );
        const query = `query ($ids: [ID!]!) { ...F0 } ${fragments.join(' ')} fragment F${spreads.length} on Query {
          ${Array.from({ length: references }, (_, at) => `a${at}: nodes(ids: $ids) { id }`).join(' ')}
        }`;
        const { count, ofVariables } = valuesOf(query, { ids: list });
        const inserted = spreads.reduce((product, times) => product * times, references);
        expect(count).toBe(inserted * (1 + length));
        expect(ofVariables).toBe(1 + length);
        expect(reads()).toBeLessThanOrEqual(length);
      }),
      { seed: SEED, numRuns: cases(300, 60) },
    );
  });

  test('of a list of references are priced without reading the variable for each', () => {
    const { list, reads } = countedList(1_000);
    const references = Array(500).fill(list);
    expect(entriesIn({ references })).toBe(500 + 500 * 1_000);
    expect(longestListIn({ references })).toBe(1_000);
    expect(reads()).toBeLessThanOrEqual(2 * 1_000);
  });

  test.each([
    [
      'a default value',
      'query ($ids: [ID!]! = ["a", "b"]) { a: nodes(ids: $ids) { id } b: nodes(ids: $ids) { id } }',
      {},
      6,
    ],
    ['a list of references', 'query ($id: ID!) { nodes(ids: [$id, $id, "c"]) { id } }', { id: 'a' }, 4],
    ['a long text', 'query ($id: ID!) { nodes(ids: [$id, $id]) { id } }', { id: 'a'.repeat(6_400) }, 203],
    [
      'a variable of another operation',
      'query ($id: ID!) { nodes(ids: [$id]) { id } }',
      { id: 'a', other: [1, 2] },
      2,
    ],
    [
      'a missing variable',
      'query ($first: Int) { traits { name } resourceProviders(first: $first) { totalCount } }',
      {},
      1,
    ],
  ])('include those of %s', (_what, query, variables, count) => {
    expect(valuesOf(query, variables).count).toBe(count);
  });

  test('include the fields of each input object, given or not: the executor adds default values', () => {
    const query = 'query ($r: AllocationCandidatesInput!) { allocationCandidates(request: $r) { complete } }';
    const literal = (groups: string) =>
      valuesOf(`{ allocationCandidates(request: { groups: [${groups}] }) { complete } }`).count;
    const group = '{ resources: [{ resourceClass: "VCPU", amount: 1 }] }';
    const ofOne = literal(`${group}, ${group}`) - literal(group);
    const resources = [{ resourceClass: 'VCPU', amount: 1 }];
    const given = (count: number) =>
      valuesOf(query, { r: { groups: Array(count).fill({ resources }) } }).count;
    expect(given(2) - given(1)).toBe(ofOne);
    expect(ofOne).toBeGreaterThan(15);
  });

  test('beyond the limit name the variable with most of them', () => {
    const query =
      'query ($a: [ID!]!, $b: [ID!]!) { x: nodes(ids: $a) { id } y: nodes(ids: $b) { id } z: nodes(ids: $b) { id } }';
    const values = valuesOf(query, { a: Array(15).fill(''), b: Array(10).fill('') });
    values.assertAtMost(38);
    expect(() => values.assertAtMost(37)).toThrow(
      expect.objectContaining({
        message:
          'The operation has 38 values after its variables are inserted; 37 are allowed. $b has 11 values and is used 2 times.',
        extensions: expect.objectContaining({ code: 'LIMIT_EXCEEDED', path: ['b'] }) as unknown,
      }),
    );
  });
});

/** The share of the limit that documents of this project may use. */
const FAR_BELOW = OPERATION_LIMITS.values / 33;

describe('the documents of the project are far below the limit', () => {
  const folder = (path: string): string[] =>
    readdirSync(new URL(`../../${path}/`, import.meta.url), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${path}/${file}`,
    );
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

  /** Files of a folder share their fragments. */
  const textOf = (path: string): string =>
    folder(path)
      .filter((file) => file.endsWith('.graphql'))
      .map(read)
      .join('\n');

  const documents: [file: string, text: string][] = [
    ...['src/command/operations', 'dashboard/views'].map((path): [string, string] => [path, textOf(path)]),
    ...[...folder('docs').filter((file) => file.endsWith('.md')), 'README.md'].flatMap((file) =>
      Array.from(read(file).matchAll(/```graphql\n(.*?)```/gs), ([, text]): [string, string] => [file, text]),
    ),
  ];

  test('values in the document count once, without variables that are inserted often', () => {
    let counted = 0;
    for (const [file, text] of documents) {
      const document = parseOrNull(text);
      if (document === null) continue; // a part of a document
      for (const operation of document.definitions.filter(isOperation)) {
        const { count } = new OperationValues({ schema, document, variableValues: {} }, operation);
        expect([file, count]).toEqual([file, Math.min(count, FAR_BELOW)]);
        counted++;
      }
    }
    expect(counted).toBeGreaterThan(100);
  });

  test('with the largest documented inputs: 1,000 consumers of a page, a claim and a reshape', () => {
    const uuid = '0f5a6f52-1b7d-4d32-9d0e-2f8c1a7e4b11';
    const resources = ['VCPU', 'MEMORY_MB', 'DISK_GB'].map((resourceClass) => ({ resourceClass, amount: 1 }));
    const providers = [0, 1].map(() => ({ resourceProvider: { uuid }, resources }));
    const consumers = Array.from({ length: 1_000 }, () => ({
      consumer: uuid,
      generation: 1,
      consumerType: 'INSTANCE',
      projectId: uuid,
      userId: uuid,
      allocations: { providers },
    }));
    const of = (field: string, input: object): number =>
      valuesOf(
        `mutation ($input: ${field.charAt(0).toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { __typename } }`,
        { input },
      ).count;
    expect(of('setAllocations', { consumers })).toBeLessThan(OPERATION_LIMITS.values / 1.5);
    expect(of('reshape', { inventories: [], allocations: consumers })).toBeLessThan(
      OPERATION_LIMITS.values / 1.5,
    );
    const add = Array.from({ length: 1_000 }, () => ({ uuid }));
    expect(of('updateAggregateMembers', { aggregate: { uuid }, add })).toBeLessThan(FAR_BELOW * 3);
  });
});

function parseOrNull(text: string) {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

function isOperation(definition: { readonly kind: string }): definition is OperationDefinitionNode {
  return definition.kind === 'OperationDefinition';
}
