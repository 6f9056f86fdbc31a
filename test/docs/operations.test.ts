import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { operationsOf, testedDocuments } from '../../docs/generate/documents.js';
import { buildSchema } from '../../src/schema/schema.js';

const schema = buildSchema();
const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];

test('a guide, an example or the command line uses every operation', () => {
  const documents = testedDocuments(fileURLToPath(new URL('../../', import.meta.url)));
  const used = new Set(documents.flatMap(({ document }) => operationsOf(document, schema)));
  const operations = roots.flatMap((type) =>
    Object.keys(type.getFields()).map((field) => `${type.name}.${field}`),
  );
  expect(operations.filter((operation) => !used.has(operation))).toEqual([]);
});
