import { describe, expect, test } from '@jest/globals';
import { accessOf, argumentPaths, typesReached, VIEWERS } from '../../docs/generate/access.js';
import { ruleOf } from '../../src/api/access/rules.js';
import { buildSchema } from '../../src/api/schema.js';

const schema = buildSchema();
const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];

describe('the rules of fields', () => {
  test('every field of a root type has one', () => {
    const without = roots.flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => ruleOf(field) === undefined)
        .map((field) => `${type.name}.${field.name}`),
    );
    expect(without).toEqual([]);
  });

  test('every argument has one where readers of a project may use the field', () => {
    const without = roots.flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) => {
        const rule = ruleOf(field);
        if (typeof rule !== 'function' || !('argumentRules' in rule)) return [];
        const leaves = argumentPaths(field).filter(
          (path, _at, all) => !all.some((other) => other.startsWith(`${path}.`)),
        );
        const missing = leaves
          .filter((path) => !(path in rule.argumentRules))
          .map((path) => `${field.name}(${path})`);
        const unknown = Object.keys(rule.argumentRules).filter((path) => !leaves.includes(path));
        return [...missing, ...unknown];
      }),
    );
    expect(without).toEqual([]);
  });

  // a new field that leads from these to something else needs a rule of its own
  test('readers of a project reach what may belong to one, and nothing else', () => {
    const reached = [...typesReached(schema, 'reader of a project')].sort();
    expect(reached).toEqual([
      'Allocation',
      'Consumer',
      'ConsumerChange',
      'ConsumerConnection',
      'ConsumerEdge',
      'ConsumerType',
      'ConsumerTypeUsage',
      'Mutation',
      'PageInfo',
      'Project',
      'ProjectConnection',
      'ProjectEdge',
      'Query',
      'Quota',
      'QuotaConnection',
      'QuotaEdge',
      'QuotaGroup',
      'RememberedRequest',
      'ResourceClass',
      'Subscription',
      'Usage',
      'UsageReport',
      'Viewer',
      'Workload',
      'WorkloadConnection',
      'WorkloadEdge',
      'WorkloadMember',
      'WorkloadRule',
    ]);
  });

  test('only writers may run mutations, and services may use every field', () => {
    const access = [...accessOf(schema)];
    const writes = access.filter(([key]) => key.startsWith('Mutation.'));
    for (const [, row] of writes) expect([row.reader, row['reader of a project']]).toEqual(['no', 'no']);
    for (const [, row] of access) expect(row.service).toBe('yes');
    expect(VIEWERS).toHaveLength(4);
  });
});
