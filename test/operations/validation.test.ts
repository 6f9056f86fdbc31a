import { parse, specifiedRules, validate, ValidationContext, type GraphQLError } from 'graphql';
import { expect, jest, test } from '@jest/globals';
import { buildSchema } from '../../src/api/schema.js';
import { OverlappingFieldsRule, validation } from '../../src/server/graphql/documents.js';

const schema = buildSchema();

/** Validates a document in slices. */
function validated(
  text: string,
  rules = specifiedRules,
): { readonly errors: readonly GraphQLError[]; readonly yields: number } {
  const parts = validation(schema, parse(text), rules);
  for (let yields = 0; ; yields++) {
    const part = parts.next();
    if (part.done) return { errors: part.value, yields };
  }
}

const repeated = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ');

test.each([
  '{ __typename }',
  'query Q($a: UUID!, $b: Int = 1 @skip(if: true)) { a: aggregate(by: { uuid: $a }) { uuid } }',
  'query Q($a: Nome!, $b: [Int] = ["a"]) { resourceProviders(first: $b) { nodes { nome } } }',
  '{ traits } { nome(nomo: 1, nomo: 2) @nomen @skip } query A { a: __typename a: traits { name } }',
  'fragment A on Query { ...B } fragment B on Trait @include(if: 1) { ...A ... on Nome { name } } query { ...C }',
  'mutation M { deleteTrait(input: { name: 7, nome: $x, name: "A" }) { ... on Node { id } ... { code } } }',
  'subscription S { a: resourceProviderChanged { uuid } b: resourceProviderChanged { uuid } }',
  '"A description" query D { traits(filter: { nameIn: [["A"], { a: 1 }, null] }) { name } } type T { a: Int }',
  `{ ${repeated(200, (at) => `nome${at}(a: {})`)} }`,
  `query (${repeated(120, (at) => `$v${at}: Int!`)}) { __typename }`,
])('%# the validation in slices has the errors of graphql-js', (text) => {
  const expected = validate(schema, parse(text), specifiedRules);
  const { errors } = validated(text);
  expect(errors.map((error) => error.toJSON())).toEqual(expected.map((error) => error.toJSON()));
});

test('the validation yields in the middle of one long list, and in that of one selection', () => {
  const list = `{ traits(filter: { nameIn: [${'"A" '.repeat(9_900)}] }) { name } }`;
  expect(validated(list).yields).toBeGreaterThan(100);
  expect(validated(`{ ${repeated(3_000, (at) => `a${at}: __typename`)} }`).yields).toBeGreaterThan(100);
});

test('a selection set that spreads too many fragments is refused before any are compared', () => {
  const text = (count: number): string =>
    `{ ${repeated(count, (at) => `... { ...F${at} }`)} } ${repeated(count, (at) => `fragment F${at} on Query { __typename }`)}`;
  const reads = jest.spyOn(ValidationContext.prototype, 'getFragment');
  const [error] = validated(text(101), [OverlappingFieldsRule]).errors;
  expect(error.extensions.code).toBe('LIMIT_EXCEEDED');
  expect(reads).not.toHaveBeenCalled();
  expect(validated(text(100), [OverlappingFieldsRule]).errors).toEqual([]);
  expect(reads.mock.calls.length).toBeGreaterThan(9_000);
  reads.mockRestore();
});
