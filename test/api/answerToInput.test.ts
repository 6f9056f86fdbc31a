import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { transformSync } from '@swc/core';
import { isInputObjectType, isLeafType, isListType, isNonNullType, type GraphQLType } from 'graphql';
import type { GraphQLInputObjectType, GraphQLObjectType } from 'graphql';
import { useApi } from '../support/api.js';
import { buildSchema } from '../../src/api/schema.js';
import { amounts, requestOf, setAllocations } from '../support/claims.js';
import { createProviders } from '../support/createProviders.js';
import type { AllocationRequest } from '../support/shapes.js';

const guide = readFileSync(new URL('../../docs/guides/allocations.md', import.meta.url), 'utf8');
const MAPPING = /```ts\n(.*?)```/s.exec(guide)![1];
const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const SELECTION = 'resourceProvider { uuid } resources { resourceClass { name } amount }';

/** The types that the mapping names, as a code generator makes them of the schema. */
function generatedTypes(): string {
  const schema = buildSchema();
  const textOf = (type: GraphQLType): string => {
    if (isNonNullType(type)) return textOf(type.ofType);
    if (isListType(type)) return `${textOf(type.ofType)}[]`;
    if (!isLeafType(type)) return type.name;
    return type.name === 'Int' ? 'number' : 'string';
  };
  const types = [
    'ProviderAllocation',
    'ProviderRef',
    'ResourceAmount',
    'ProviderAllocationInput',
    'ResourceAmountInput',
  ].map((name) => {
    const type = schema.getType(name) as GraphQLObjectType | GraphQLInputObjectType;
    if (isInputObjectType(type) && type.isOneOf) return oneOf(name, Object.keys(type.getFields()));
    const fields = Object.values(type.getFields()).map((field: { name: string; type: GraphQLType }) => {
      if (isNonNullType(field.type)) return `${field.name}: ${textOf(field.type)};`;
      return `${field.name}${isInputObjectType(type) ? '?' : ''}: ${textOf(field.type)} | null;`;
    });
    return `interface ${name} { ${fields.join(' ')} }`;
  });
  return [
    ...types,
    'interface ResourceProvider { uuid: string; name: string; generation: number }',
    'interface ResourceClass { name: string }',
  ].join('\n');
}

/** A @oneOf input of strings, as a code generator makes it: a union. */
function oneOf(name: string, fields: readonly string[]): string {
  const member = (given: string) =>
    fields.map((field) => (field === given ? `${field}: string;` : `${field}?: never;`)).join(' ');
  return `type ${name} = ${fields.map((field) => `{ ${member(field)} }`).join(' | ')};`;
}

/** Returns the compiler's errors for a program of this text alone, under strict rules. */
function compilerErrors(text: string): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'placement-mapping-'));
  try {
    const file = join(directory, 'mapping.ts');
    writeFileSync(file, text);
    const options = [
      '--strict',
      '--noEmit',
      '--target',
      'es2022',
      '--lib',
      'es5',
      '--types',
      '',
      '--ignoreConfig',
    ];
    const { stdout } = spawnSync(process.execPath, [COMPILER, ...options, file], { encoding: 'utf8' });
    return stdout.split('\n').filter((line) => line.includes(': error TS'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

type ToInput = (held: object) => object;

/** The function of the guide, as a client's build makes it. */
function compiled(): ToInput {
  const { code } = transformSync(MAPPING, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } });
  return runInThisContext(`(() => { ${code}; return toInput; })()`) as ToInput;
}

const { api } = useApi();

test('the mapping of the guide compiles with the types of the schema, and is needed', () => {
  expect(MAPPING.trim().split('\n')).toHaveLength(4);
  expect(compilerErrors(`${generatedTypes()}\n${MAPPING}`)).toEqual([]);
  const without = 'const toInput = (held: ProviderAllocation): ProviderAllocationInput => held;';
  expect(compilerErrors(`${generatedTypes()}\n${without}`)).toHaveLength(1);
});

test('it converts found, claimed and held allocations into an input', async () => {
  const toInput = compiled();
  await createProviders(api, { name: 'host', inventories: { VCPU: 8, MEMORY_MB: 1024 } });
  const request = { seed: 1, ...requestOf({ VCPU: 2, MEMORY_MB: 512 }) };
  const found = await api.read<{ allocationCandidates: { allocationRequests: AllocationRequest[] } }>(
    `query ($request: AllocationCandidatesInput!) {
       allocationCandidates(request: $request, limit: 1) { allocationRequests { allocations { __typename ${SELECTION} } } } }`,
    { request },
  );
  const [{ allocations }] = found.allocationCandidates.allocationRequests;
  const consumer = '11111111-0000-4000-8000-000000000000';
  const set = (held: readonly object[], generation: number | null) =>
    setAllocations(api, {
      ...{ consumer, generation, projectId: 'p', userId: 'u' },
      allocations: { providers: held.map(toInput) },
    });
  const held = async (): Promise<object[]> => {
    const document = `{ consumer(uuid: "${consumer}") { providerAllocations { __typename ${SELECTION} } } }`;
    return (await api.read<{ consumer: { providerAllocations: object[] } }>(document)).consumer
      .providerAllocations;
  };
  expect(await set(allocations, null)).toMatchObject({ __typename: 'SetAllocationsPayload' });
  expect((await held()).map(toInput)).toEqual([
    {
      resourceProvider: { uuid: expect.any(String) },
      resources: amounts({ MEMORY_MB: 512, VCPU: 2 }),
    },
  ]);
  const [{ resources }] = (await held()) as [{ resources: { amount: number }[] }];
  for (const each of resources) each.amount /= 2;
  expect(await set(await held(), 1)).toMatchObject({ __typename: 'SetAllocationsPayload' });
});
