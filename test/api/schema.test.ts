import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  buildClientSchema,
  buildSchema as parsedSchema,
  getNamedType,
  introspectionFromSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  printSchema as printed,
  type GraphQLField,
  type GraphQLInputField,
} from 'graphql';
import { REJECTIONS } from '../../src/model/errors.js';
import { printSchema } from '../../src/api/print.js';
import { buildSchema } from '../../src/api/schema.js';

const schema = buildSchema();
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));

test('schema.graphql is the schema of the code', () => {
  const file = new URL('../../schema.graphql', import.meta.url);
  if (readFileSync(file, 'utf8') !== printSchema()) throw new Error('renew schema.graphql: npm run schema');
});

/** The descriptions of all elements, by coordinate. */
function descriptions(): Map<string, string> {
  const found = new Map<string, string>();
  const add = (coordinate: string, { description }: { description?: string | null }) =>
    found.set(coordinate, description ?? '');
  for (const type of types) {
    if (isSpecifiedScalarType(type)) continue;
    add(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) add(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    const fields = Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields());
    for (const field of fields) {
      add(`${type.name}.${field.name}`, field);
      const args = 'args' in field ? field.args : [];
      for (const arg of args) add(`${type.name}.${field.name}(${arg.name}:)`, arg);
    }
  }
  return found;
}

/** Returns the coordinates of the descriptions that fail a check. */
function failing(isRight: (description: string) => boolean): string[] {
  return [...descriptions()].filter(([, text]) => !isRight(text)).map(([coordinate]) => coordinate);
}

test('every element has a description that begins with a capital and ends with a full stop', () => {
  const isSentence = /^(?:[A-Z`[(]|capacity - |used \/ ).*\.$/s;
  expect(failing((text) => text.length >= 5 && isSentence.test(text))).toEqual([]);
});

test('a description has at most three sentences', () => {
  expect(failing((text) => (text.match(/[.!?](?=\s|$)/g)?.length ?? 0) <= 3)).toEqual([]);
});

test('descriptions name subjects and use standard verbs', () => {
  const avoided = [
    /nothing (?:is|was|being)? ?said|unless said|is said\b/i,
    /\b(?:is|are|was|were|being) told\b|\btells?\b|\bwhoever\b|\bwhomever\b|\bnobody\b|\bsomebody\b/i,
    /\bof (?:which|whom)\b|\bwhich it\b|\bwhat (?:it|there|is|was|has)\b|\bthat there (?:is|are)\b/i,
    /\blets? go\b|\bcomes? into being\b|\bmade up\b|\bno matter\b|\bgoes on\b|\blooked? at\b|\bput right\b/i,
    /\bis to get\b|\bare to get\b|\bmay lie\b|\btakes? the place of\b|\btake part\b|\beach of the\b/i,
    /\brooms?\b|\bfigures?\b|\bforeign\b|\bsuspects?\b|\bdoubted\b|\bquestions?\b|\bplaces left\b/i,
  ];
  expect(failing((text) => !avoided.some((phrase) => phrase.test(text)))).toEqual([]);
});

test('each code of the vocabulary is in the schema, with an error type', () => {
  const codes = schema.getType('ErrorCode');
  const error = schema.getType('UserError');
  if (!isEnumType(codes) || !isInterfaceType(error)) throw new Error('ErrorCode or Error is missing');
  const vocabulary = Object.keys(REJECTIONS);
  expect(codes.getValues().map(({ name }) => name)).toEqual(vocabulary);
  const named = vocabulary.map((code) =>
    code.toLowerCase().replace(/(^|_)(.)/g, (_, __, letter: string) => letter.toUpperCase()),
  );
  const errors = schema.getPossibleTypes(error).map(({ name }) => name);
  expect(errors.sort()).toEqual(named.map((name) => `${name}Error`).sort());
});

/*
 * A new mutation needs a write that no mutation can express with another field. `setQuotas` writes limits, which no other
 * input has. `applyProviderTrees` adds owners: its input states several trees at once, and keeps the parts of others.
 */
test('there are at most 22 mutations', () => {
  expect(Object.keys(schema.getMutationType()!.getFields()).length).toBeLessThanOrEqual(22);
});

test('numbers of inputs are Int, not SafeInt', () => {
  const wide = types.filter(isInputObjectType).flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => getNamedType(field.type).name === 'SafeInt')
      .map((field) => `${type.name}.${field.name}`),
  );
  // A limit is for the sum of many allocations: 4 PiB of memory are 2^32 MEMORY_MB.
  expect(wide).toEqual(['QuotaLimitInput.limit']);
});

test('each mutation takes one input and answers with its payload or an error', () => {
  for (const field of Object.values(schema.getMutationType()!.getFields())) {
    const name = field.name.charAt(0).toUpperCase() + field.name.slice(1);
    expect(field.args.map((arg) => `${arg.name}: ${String(arg.type)}`)).toEqual([`input: ${name}Input!`]);
    const result = getNamedType(field.type);
    expect(result.name).toBe(`${name}Result`);
    if (!isUnionType(result)) throw new Error(`${result.name} is no union`);
    const others = result
      .getTypes()
      .filter((type) => !type.getInterfaces().some((face) => face.name === 'UserError'));
    expect(others.map((type) => type.name)).toEqual([`${name}Payload`]);
  }
});

test('introspection lists types and fields in the order of schema.graphql', () => {
  const served = buildClientSchema(introspectionFromSchema(schema, { specifiedByUrl: true, oneOf: true }));
  expect(printed(served)).toBe(printed(parsedSchema(printSchema())));
});

test('root types come first, and every other type follows its first user', () => {
  const text = printSchema().replace(/"(?:"".*?""|.*?)"/gs, '');
  const names = [...text.matchAll(/^(?:type|input|enum|union|interface|scalar) (\w+)/gm)];
  expect(names.slice(0, 3).map(([, name]) => name)).toEqual(['Query', 'Mutation', 'Subscription']);
  const uses = [...text.matchAll(/(?:[:=|&]|implements) *\[*(\w+)/g)].reverse();
  const firstUse = new Map(uses.map(({ index, 1: name }) => [name, index]));
  const early = names.slice(3).filter(({ index, 1: name }) => !(firstUse.get(name)! < index));
  expect(early.map(([, name]) => name)).toEqual([]);
});

test.each([
  ['Query', ['allocationCandidates', 'resourceProvider', 'consumer', 'audit', 'viewer', 'node']],
  ['Mutation', ['claim', 'setAllocations', 'deleteConsumer', 'createResourceProvider', 'nameAggregate']],
  ['Subscription', ['resourceProviderChanged', 'consumerChanged', 'fleetTotalsChanged']],
  ['AllocationCandidatesInput', ['groups', 'sameSubtree', 'awayFromConsumers', 'seed']],
  ['RequestGroupInput', ['resources', 'requiredTraits', 'suffix', 'canSplit']],
  ['ResourceProvider', ['id', 'uuid', 'name', 'generation', 'parent', 'inventories', 'createdAt']],
  ['CandidateExplanation', ['summary', 'groups', 'combination']],
])('the fields of %s are in the order of importance', (name, expected) => {
  const type = schema.getType(name);
  if (!isObjectType(type) && !isInputObjectType(type)) throw new Error(`${name} has no fields`);
  expect(Object.keys(type.getFields()).filter((field) => expected.includes(field))).toEqual(expected);
});

test('arguments are in the order of importance', () => {
  const { args } = schema.getQueryType()!.getFields().resourceProviders;
  const names = ['filter', 'orderBy', 'first', 'after', 'last', 'before'];
  expect(args.map(({ name }) => name)).toEqual(names);
});
