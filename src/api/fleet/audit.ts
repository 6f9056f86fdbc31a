import { ensure, firstDuplicate } from '../../model/input.js';
import { readAuditPage, type AuditPosition, type AuditFinding as Finding } from '../../store/audit/audit.js';
import { AUDIT_CHECKS, type AuditCheck as Check } from '../../store/audit/rule.js';
import { builder, meanings, objectType, query } from '../builder.js';
import { optional } from '../inputFields.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { connectionOf, pageOf, type ListOrder } from '../paging/paging.js';
import { Consumer, ResourceProvider } from '../refs.js';
import { selects } from '../selection.js';

const AuditCheck = builder.enumType('AuditCheck', {
  description: 'A check of the audit.',
  values: meanings<Check>({
    OVER_CAPACITY: 'A usage exceeds the capacity. If all is reserved, it may reach `total`.',
    UNIT_VIOLATION: 'An allocation violates minUnit, maxUnit or stepSize.',
    DANGLING_ALLOCATION: 'An allocation refers to a missing provider, consumer or resource class.',
    EMPTY_CONSUMER: 'A consumer has no allocations.',
    BROKEN_TREE: 'The root of a provider differs from the root of its parent.',
    UNKNOWN_REFERENCE: 'A row refers to a missing provider, class, trait, aggregate, project, user or type.',
    UUID_SPELLING: 'Another program has stored a consumer or aggregate in another spelling of its uuid.',
    SEVERAL_TREES: 'A consumer has allocations in several trees, sharing providers apart.',
    LOST_COUNTER: 'An inventory consumes a counter that does not exist, or that no ancestor has.',
    MISSING_CONSUMPTION: 'A consumer has another amount of a counter than its allocations consume.',
    QUOTA_USAGE: 'The counted usage of a project or group differs from its allocations.',
    LOST_REQUEST: 'A request is remembered for a consumer that does not exist.',
  }),
});

const AuditFinding = objectType<Finding>('AuditFinding', {
  description: 'An inconsistency of the stored data.',
  fields: (t) => ({
    check: t.expose('check', { type: AuditCheck, description: 'The check that found it.' }),
    message: t.exposeString('message', { description: 'A description that names the objects.' }),
    resourceProvider: t.field({
      type: ResourceProvider,
      nullable: true,
      description: 'The provider, if it exists.',
      resolve: ({ provider }, _args, { loaders }) =>
        provider === null ? null : loaders.providers.byUuid(provider),
    }),
    resourceProviderUuid: t.expose('provider', {
      type: 'UUID',
      nullable: true,
      description: 'The uuid of that provider.',
    }),
    consumer: t.field({
      type: Consumer,
      nullable: true,
      description: 'The consumer, if it exists.',
      resolve: ({ consumer }, _args, { loaders }) =>
        consumer === null ? null : loaders.consumers.byUuid(consumer),
    }),
    consumerUuid: t.expose('consumer', {
      type: 'UUID',
      nullable: true,
      description: 'The uuid of the consumer, which may not exist.',
    }),
    resourceClassName: t.exposeString('resourceClass', {
      nullable: true,
      description: 'The name of the resource class, if it exists.',
    }),
  }),
});

const AuditFindingConnection = connectionType(AuditFinding, {
  one: 'A finding',
  many: 'findings',
  order: 'check, then age',
});

/** An audit reads whole tables: the limit of the cost admits only four in one document. */
const COST_OF_SCANS = 45_000;

/** How long an audit may take (ms): as long as a statement on whole tables. */
const DEADLINE_MS = 10 * 60_000;

query('audit', {
  type: AuditFindingConnection,
  complexity: (args) => ({ ...costOfPage(args), field: COST_OF_SCANS }),
  description: 'The inconsistencies of the stored data. Each page is one snapshot of whole tables.',
  args: {
    checks: optional([AuditCheck], 'The checks, each once. Defaults to all.'),
    ...PAGE_ARGUMENTS,
  },
  resolve: async (_root, { checks: wanted, ...args }, { ledger: { database }, operation }, info) => {
    const checks = wanted ?? AUDIT_CHECKS;
    const repeated = firstDuplicate(checks);
    ensure(repeated < 0, ['checks', String(repeated)], `check ${checks[repeated]} is repeated`);
    const page = pageOf(ORDER, args);
    const isCounted = selects(info, AuditFindingConnection.name, 'totalCount');
    const { findings, count } = await operation.scan(DEADLINE_MS, () =>
      readAuditPage(
        database,
        checks,
        { ...page, limit: page.size + 1 },
        { isCounted, signal: operation.signal },
      ),
    );
    return connectionOf(ORDER, page, findings, () => Promise.resolve(count!));
  },
});

const ORDER: ListOrder<Finding, AuditPosition> = {
  pattern: /^audit:(\d{1,3}):(-?\d{1,10}):(-?\d{1,10})$/,
  place: (rule, ...key) => ({ rule: Number(rule), key: [Number(key[0]), Number(key[1])] }),
  cursor: ({ position: { rule, key } }) => `audit:${rule}:${key.join(':')}`,
};
