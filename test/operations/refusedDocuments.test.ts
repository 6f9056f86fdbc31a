import { Kind, OperationTypeNode, parse, validate, type GraphQLError } from 'graphql';
import { expect, test } from '@jest/globals';
import { buildSchema } from '../../src/api/schema.js';
import { RefusedDocuments } from '../../src/server/graphql/documents.js';

const schema = buildSchema();

function refused(text: string): readonly GraphQLError[] {
  return validate(schema, parse(text));
}

test('a refused document is known again by its text, with the same errors', () => {
  const documents = new RefusedDocuments();
  const text = 'mutation M { nome\nnomo }';
  const errors = refused(text);
  documents.add(text, parse(text), errors);
  const found = documents.find(text)!;
  const again = documents.errorsOf(found)!;
  expect(errors).toHaveLength(2);
  expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(errors)));
  expect(found.definitions).toMatchObject([
    { kind: Kind.OPERATION_DEFINITION, operation: OperationTypeNode.MUTATION, name: { value: 'M' } },
  ]);
  expect(documents.find(`${text} `)).toBeNull();
  expect(documents.errorsOf(parse(text))).toBeUndefined();
});

test('changes of a returned error do not reach the next answer', () => {
  const documents = new RefusedDocuments();
  documents.add('{ nome }', parse('{ nome }'), refused('{ nome }'));
  const [first] = documents.errorsOf(documents.find('{ nome }')!)!;
  first.extensions.code = 'CHANGED';
  const [second] = documents.errorsOf(documents.find('{ nome }')!)!;
  expect(second.extensions).toEqual({});
});

test('the number and the size of the refused documents are bounded', () => {
  const documents = new RefusedDocuments();
  const texts = Array.from({ length: 3_000 }, (_, at) => `{ nome${at} }`);
  for (const text of texts) documents.add(text, parse(text), refused(text));
  expect(texts.filter((text) => documents.find(text) !== null)).toEqual(texts.slice(-1_000));
  const long = `{ ${'x'.repeat(200_000)} }`;
  documents.add(long, parse(long), refused(long));
  expect(documents.find(long)).toBeNull();
});
