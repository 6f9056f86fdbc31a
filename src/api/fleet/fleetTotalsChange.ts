import { encodeGlobalID } from '@pothos/plugin-relay';
import type { TotalKey, TotalsGrouping } from '../../search/totals/totals.js';
import { MAX_ROWS } from '../../search/totals/sharedTotals.js';
import { EVERY_SECONDS, type TotalsChange } from './totalsWatch.js';
import { READERS } from '../access/rules.js';
import { builder, objectType } from '../builder.js';
import { withDefault } from '../inputFields.js';
import { costOfList } from '../cost/operationCost.js';
import { Aggregate, CLASS_BY_NAME, ResourceProvider, Trait } from '../refs.js';
import { beginEvent, endingWith } from '../subscription.js';
import { FleetTotal, TOTALS_ARGUMENTS } from './fleetTotals.js';

type Grouped<T> = T & { readonly grouping: TotalsGrouping | null };

/** The types of the groups, which are part of the global ids of the groups of removed totals. */
const GROUPS = { TREE: ResourceProvider, AGGREGATE: Aggregate, TRAIT: Trait } as const;

const FleetTotalKey = objectType<Grouped<TotalKey>>('FleetTotalKey', {
  description: 'Identifies a removed total.',
  fields: (t) => ({
    groupId: t.id({
      nullable: true,
      description: 'The id of the group. Null without `groupBy`.',
      resolve: ({ group, grouping }) =>
        grouping === null ? null : encodeGlobalID(GROUPS[grouping].name, group),
    }),
    resourceClass: t.field(CLASS_BY_NAME),
  }),
});

/** The assumed cost of a list. The operation charges for a longer list when it is resolved. */
const FEW = costOfList(10);

const FleetTotalsChange = objectType<Grouped<TotalsChange>>('FleetTotalsChange', {
  description: 'The differences of the fleet totals since the last event.',
  fields: (t) => ({
    totals: t.field({
      type: [FleetTotal],
      complexity: FEW,
      description: 'New and changed totals; in the first event all totals.',
      resolve: ({ totals, grouping }) => totals.map((total) => ({ ...total, grouping })),
    }),
    removed: t.field({
      type: [FleetTotalKey],
      complexity: FEW,
      description: 'Removed totals.',
      resolve: ({ removed, grouping }) => removed.map((key) => ({ ...key, grouping })),
    }),
    complete: t.exposeBoolean('complete', {
      description: 'False if the next event follows at once.',
    }),
  }),
});

builder.subscriptionField('fleetTotalsChanged', (t) =>
  t.field({
    authScopes: READERS,
    type: FleetTotalsChange,
    description: `All totals, then changed ones. More than ${MAX_ROWS} totals fail with INVALID_INPUT.`,
    args: {
      ...TOTALS_ARGUMENTS,
      everySeconds: withDefault(
        'Int',
        EVERY_SECONDS.usual,
        `The minimum seconds between events, ${EVERY_SECONDS.least} to ${EVERY_SECONDS.most}.`,
      ),
    },
    subscribe: async (_root, { filter, groupBy, everySeconds }, context) => {
      const grouping = groupBy ?? null;
      const options = { filter: filter ?? {}, grouping, everySeconds };
      return endingWith(context, await context.totalsWatch.watch(options, context.operation));
    },
    resolve: async (event, { groupBy }, context) => ({
      ...(await beginEvent(event, context)),
      grouping: groupBy ?? null,
    }),
  }),
);
