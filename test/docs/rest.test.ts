import { expect, test } from '@jest/globals';
import { isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { buildSchema } from '../../src/api/schema.js';
import { read } from './pages.js';

/** Calls and parameters as placement/handler.py and placement/schemas/ of OpenStack Placement have them, in any microversion. */
const { calls } = JSON.parse(read('test/docs/placementRoutes.json')) as {
  calls: Record<string, string[]>;
};
const page = read('docs/reference/rest.md');

const CALL = /^(GET|PUT|POST|DELETE) \//;
const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);

/** The rows that have a microversion. */
const rows = page
  .split('\n')
  .map((line) => /^\|(.*)\| 1\.\d+ +\|(.*)\|$/.exec(line))
  .filter((row) => row !== null)
  .map(([, theirs, ours]) => ({ theirs: quoted(theirs), ours: quoted(ours) }));

/** The parameters that stand below each call. */
const documented: Record<string, string[]> = {};
let call = '';
for (const { theirs } of rows) {
  if (CALL.test(theirs[0])) documented[(call = theirs[0])] = [];
  else documented[call].push(...theirs);
}

test('every call of the REST API has a row, and no other', () => {
  expect(Object.keys(documented).sort()).toEqual(Object.keys(calls).sort());
});

test.each(Object.entries(calls))('%s has all its parameters, and no other', (name, parameters) => {
  expect([...documented[name]].sort()).toEqual([...parameters].sort());
});

const schema = buildSchema();

/** Whether there is a field, an argument of a field, or a value of an enum of this name. */
function exists(name: string): boolean {
  const [, typeName, member, argument] = /^(\w+)\.(\w+)(?:\((\w+)\))?$/.exec(name) ?? [];
  const type = schema.getType(typeName ?? '');
  if (isEnumType(type)) return type.getValue(member) !== undefined;
  if (isInputObjectType(type)) return member in type.getFields() && argument === undefined;
  if (!isObjectType(type)) return false;
  const field = type.getFields()[member];
  return (
    field !== undefined && (argument === undefined || field.args.some(({ name: each }) => each === argument))
  );
}

test.each(['Query.nothing', 'Query.usages(nothing)', 'GroupPolicy.NOTHING', 'TraitFilter.nothing', 'usages'])(
  '%s is no name of the schema',
  (name) => expect(exists(name)).toBe(false),
);

test('every name of the schema that the page has exists', () => {
  const theirs = /^(!|in:|startswith:)$/;
  const names = rows.flatMap(({ ours }) => ours).filter((name) => !theirs.test(name));
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !exists(name))).toEqual([]);
});
