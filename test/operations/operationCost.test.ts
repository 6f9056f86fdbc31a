import { parse } from 'graphql';
import { expect, test } from '@jest/globals';
import type { Viewer } from '../../src/model/viewer.js';
import { costOf } from '../../src/api/cost/operationCost.js';
import { buildSchema } from '../../src/api/schema.js';

const schema = buildSchema();

test.each([
  [
    'query ($v: [AggregateRef!]!) { resourceProviders(first: 1000, filter: { memberOf: [$v] }) { nodes { uuid } } }',
  ],
  ['mutation ($v: [AggregateRef!]!) { deleteAggregates(input: { aggregates: $v }) { __typename } }'],
])('a field that the viewer may not use costs 1, and its arguments are not read: %s', (text) => {
  const unreadable = new Proxy([], {
    get() {
      throw new Error('the argument is read');
    },
  });
  const of = (roles: readonly string[], v: readonly object[]): number => {
    const viewer = { userId: 'u', projectId: null, roles: new Set(roles) } as unknown as Viewer;
    const args = { schema, document: parse(text), contextValue: { viewer } };
    return costOf(args, new Set(), { v });
  };
  expect(of(['admin'], [{ uuid: '0f5a6f52-1b7d-4d32-9d0e-2f8c1a7e4b11' }])).toBeGreaterThan(1);
  expect(of([], unreadable)).toBe(1);
});
