import { InvalidInput } from '../../domain/invalidInput.js';
import {
  countAudit,
  readAudit,
  type AuditPosition,
  type AuditFinding as Finding,
} from '../../ledger/audit/audit.js';
import { AUDIT_CHECKS, type AuditCheck as Check } from '../../ledger/audit/rule.js';
import { builder } from '../builder.js';
import { connectionType, costOfPage, PAGE_ARGUMENTS } from '../connection.js';
import { connectionOf, pageOf, type ListOrder } from '../../reads/paging/paging.js';
import { Consumer, ResourceProvider } from '../refs.js';
import { READERS } from '../access/rules.js';

const MEANINGS: Readonly<Record<Check, string>> = {
  OVER_CAPACITY:
    'More of a resource class is in use on a provider than its capacity, or it has no inventory of it. No error by ' +
    'itself: an inventory may be shrunk below what is used. Nothing more can be allocated there until it is put right.',
  UNIT_VIOLATION: 'An allocation does not respect minUnit, maxUnit or stepSize of its inventory.',
  DANGLING_ALLOCATION:
    'An allocation whose provider, consumer or resource class does not exist. It is listed nowhere, but counts as used.',
  EMPTY_CONSUMER: 'A consumer without allocations.',
  BROKEN_TREE:
    'A provider whose recorded root is not the one that its parents lead to: it is missing, a parent is missing, or the ' +
    'parents are a loop.',
  UNKNOWN_REFERENCE:
    'An inventory, a trait or an aggregate of a provider that points at nothing, or a consumer whose project, user or ' +
    'type does not exist.',
};

const AuditCheck = builder.enumType('AuditCheck', {
  description: 'What can be wrong with what is stored.',
  values: Object.fromEntries(
    AUDIT_CHECKS.map((check) => [check, { description: MEANINGS[check] }]),
  ) as Record<Check, { description: string }>,
});

const AuditFinding = builder.objectRef<Finding>('AuditFinding').implement({
  description: 'One thing that is wrong.',
  fields: (t) => ({
    check: t.expose('check', { type: AuditCheck, description: 'The check that found it.' }),
    message: t.exposeString('message', {
      description: 'What is wrong, in one sentence that names the objects.',
    }),
    resourceProviderUuid: t.expose('provider', {
      type: 'UUID',
      nullable: true,
      description:
        'The uuid of the provider that it is about; null when it is about none, or none that exists.',
    }),
    consumerUuid: t.expose('consumer', {
      type: 'UUID',
      nullable: true,
      description:
        'The uuid of the consumer that it is about, whether it exists or not; null when it is about none.',
    }),
    resourceClassName: t.exposeString('resourceClass', {
      nullable: true,
      description: 'The resource class that it is about; null when it is about none, or none that exists.',
    }),
    resourceProvider: t.field({
      type: ResourceProvider,
      nullable: true,
      description: 'The provider that it is about, if there is one now.',
      resolve: ({ provider }, _args, { loaders }) =>
        provider === null ? null : loaders.providers.byUuid(provider),
    }),
    consumer: t.field({
      type: Consumer,
      nullable: true,
      description: 'The consumer that it is about, if there is one now.',
      resolve: ({ consumer }, _args, { loaders }) =>
        consumer === null ? null : loaders.consumers.byUuid(consumer),
    }),
  }),
});

const AuditFindingConnection = connectionType(AuditFinding, {
  one: 'A finding',
  many: 'findings',
  order: 'check, then age of what is wrong',
});

/** An audit reads whole tables, so that one document has room for a few only. */
const COST_OF_SCANS = 100_000;

builder.queryField('audit', (t) =>
  t.field({
    authScopes: READERS,
    type: AuditFindingConnection,
    complexity: (args) => ({ ...costOfPage(args), field: COST_OF_SCANS }),
    description:
      'Everything that is wrong with what is stored, seen in one consistent snapshot, whoever writes meanwhile: a writer who is half ' +
      'done is no finding. Each page, and totalCount, is of a moment of its own. Reads whole tables: seconds on a large ' +
      'fleet. Nothing is found where only this API has written, but what it allows: use above a capacity that was shrunk, ' +
      'and amounts that units changed since do not allow. A check that is there twice, a page that is too large and a ' +
      'bad cursor are INVALID_INPUT.',
    args: {
      checks: t.arg({
        type: [AuditCheck],
        description: 'What to look for; an empty list finds nothing. Without it: everything.',
      }),
      ...PAGE_ARGUMENTS,
    },
    resolve: async (_root, { checks: wanted, ...args }, { ledger: { database }, operation }) => {
      const checks = wanted ?? AUDIT_CHECKS;
      checkDistinct(checks);
      const page = pageOf(ORDER, args);
      const found = await operation.withConnection(() =>
        readAudit(database, checks, { ...page, limit: page.size + 1 }, operation.signal),
      );
      return connectionOf(ORDER, page, found, () =>
        operation.withConnection(() => countAudit(database, checks, operation.signal)),
      );
    },
  }),
);

function checkDistinct(checks: readonly Check[]): void {
  const repeated = checks.findIndex((check, at) => checks.indexOf(check) < at);
  if (repeated >= 0)
    throw new InvalidInput(['checks', String(repeated)], `check ${checks[repeated]} is there twice`);
}

const ORDER: ListOrder<Finding, AuditPosition> = {
  pattern: /^audit:(\d{1,3}):(-?\d{1,10}):(-?\d{1,10})$/,
  place: (rule, ...key) => ({ rule: Number(rule), key: [Number(key[0]), Number(key[1])] }),
  cursor: ({ position: { rule, key } }) => `audit:${rule}:${key.join(':')}`,
};
