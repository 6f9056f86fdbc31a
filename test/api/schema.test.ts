import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  type GraphQLField,
  type GraphQLInputField,
} from 'graphql';
import { VOCABULARY } from '../../src/domain/errors.js';
import { printSchema } from '../../src/schema/print.js';
import { buildSchema } from '../../src/schema/schema.js';

const schema = buildSchema();
const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));

test('schema.graphql is what the code says', () => {
  const file = new URL('../../schema.graphql', import.meta.url);
  if (readFileSync(file, 'utf8') !== printSchema()) throw new Error('renew schema.graphql: npm run schema');
});

test('everything has a description', () => {
  const silent: string[] = [];
  const check = (place: string, { description }: { description?: string | null }) => {
    if (!description || description.length < 5) silent.push(place);
  };
  for (const type of types) {
    if (isSpecifiedScalarType(type)) continue;
    check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    const fields = Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields());
    for (const field of fields) {
      check(`${type.name}.${field.name}`, field);
      const args = 'args' in field ? field.args : [];
      for (const arg of args) check(`${type.name}.${field.name}(${arg.name})`, arg);
    }
  }
  expect(silent).toEqual([]);
});

test('each code of the vocabulary is in the schema, with an error type', () => {
  const codes = schema.getType('ErrorCode');
  const error = schema.getType('UserError');
  if (!isEnumType(codes) || !isInterfaceType(error)) throw new Error('ErrorCode or Error is missing');
  const vocabulary = VOCABULARY.map(({ code }) => code);
  expect(codes.getValues().map(({ name }) => name)).toEqual(vocabulary);
  const named = vocabulary.map((code) =>
    code.toLowerCase().replace(/(^|_)(.)/g, (_, __, letter: string) => letter.toUpperCase()),
  );
  const errors = schema.getPossibleTypes(error).map(({ name }) => name);
  expect(errors.sort()).toEqual(named.map((name) => `${name}Error`).sort());
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
