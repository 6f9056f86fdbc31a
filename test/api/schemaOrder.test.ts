import { expect, test } from '@jest/globals';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  printSchema,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import { printSchema as schemaFile } from '../../src/schema/print.js';
import { useApi } from '../support/api.js';

const { api } = useApi();

async function servedSchema(): Promise<GraphQLSchema> {
  const { data } = await api.query<IntrospectionQuery>(
    getIntrospectionQuery({ specifiedByUrl: true, oneOf: true }),
  );
  return buildClientSchema(data);
}

/** Returns the names of the types in the order of a printed schema. */
function typeNames(text: string): string[] {
  return [...text.matchAll(/^(?:type|input|enum|union|interface|scalar) (\w+)/gm)].map(([, name]) => name);
}

function typesUsedBy(type: GraphQLNamedType): string[] {
  if (isUnionType(type)) return type.getTypes().map(({ name }) => name);
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
  const fields = Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields());
  const used = fields.flatMap((field) => [
    ...('args' in field ? field.args.map((argument) => argument.type) : []),
    field.type,
  ]);
  const interfaces = isInputObjectType(type) ? [] : type.getInterfaces();
  return [...used.map((each) => getNamedType(each).name), ...interfaces.map(({ name }) => name)];
}

test('introspection lists types and fields in the order of schema.graphql', async () => {
  expect(printSchema(await servedSchema())).toBe(printSchema(buildSchema(schemaFile())));
});

test('root types come first, and every other type follows its first user', async () => {
  const schema = await servedSchema();
  const [query, mutation, subscription, ...others] = typeNames(schemaFile());
  expect([query, mutation, subscription]).toEqual(['Query', 'Mutation', 'Subscription']);
  const used = new Set([query, mutation, subscription].flatMap((name) => typesUsedBy(schema.getType(name)!)));
  for (const name of others) {
    if (!used.has(name)) throw new Error(`${name} comes before its first user`);
    for (const each of typesUsedBy(schema.getType(name)!)) used.add(each);
  }
});

test.each([
  ['Query', ['allocationCandidates', 'resourceProvider', 'consumer', 'audit', 'viewer', 'node']],
  ['Mutation', ['claim', 'setAllocations', 'deleteConsumer', 'createResourceProvider', 'nameAggregate']],
  ['Subscription', ['resourceProviderChanged', 'consumerChanged', 'fleetTotalsChanged']],
  ['AllocationCandidatesInput', ['groups', 'sameSubtree', 'awayFromConsumers', 'seed']],
  ['RequestGroupInput', ['resources', 'requiredTraits', 'suffix', 'canSplit']],
  ['ResourceProvider', ['id', 'uuid', 'name', 'generation', 'parent', 'inventories', 'createdAt']],
  ['CandidateExplanation', ['summary', 'groups', 'combination']],
])('the fields of %s are in the order of importance', async (name, expected) => {
  const type = (await servedSchema()).getType(name);
  if (!isObjectType(type) && !isInputObjectType(type)) throw new Error(`${name} has no fields`);
  expect(Object.keys(type.getFields()).filter((field) => expected.includes(field))).toEqual(expected);
});

test('arguments are in the order of importance', async () => {
  const { resourceProviders } = (await servedSchema()).getQueryType()!.getFields();
  expect(resourceProviders.args.map(({ name }) => name)).toEqual([
    'filter',
    'orderBy',
    'first',
    'after',
    'last',
    'before',
  ]);
});
