import type { TotalKey, TotalsGrouping } from '../../engine/totals/totals.js';
import { EVERY_SECONDS, MOST_ROWS, type TotalsChange } from '../../placement/totalsWatch.js';
import { READERS } from '../access/rules.js';
import { builder } from '../builder.js';
import { costOfList } from '../cost/fieldCost.js';
import { ResourceClass } from '../refs.js';
import { beginEvent, endingWith } from '../subscription.js';
import { FleetGrouping, FleetTotal, FleetTotalsFilter } from './fleetTotals.js';

type Grouped<T> = T & { readonly grouping: TotalsGrouping | null };

const FleetTotalKey = builder.objectRef<Grouped<TotalKey>>('FleetTotalKey').implement({
  description: 'Which total there is no more.',
  fields: (t) => ({
    group: t.string({
      nullable: true,
      description: 'Its group, as in FleetTotal; null for the whole.',
      resolve: ({ group, grouping }) => (grouping === null ? null : group),
    }),
    resourceClass: t.field({
      type: ResourceClass,
      description: 'What was added up.',
      resolve: ({ resourceClass }) => ({ name: resourceClass }),
    }),
  }),
});

/** Longer lists are counted when they are there. */
const FEW = costOfList(10);

const FleetTotalsChange = builder.objectRef<Grouped<TotalsChange>>('FleetTotalsChange').implement({
  description: 'What is different of the totals of the fleet since the last event.',
  fields: (t) => ({
    totals: t.field({
      type: [FleetTotal],
      complexity: FEW,
      description: 'The totals that are new, or have changed; all of them at first.',
      resolve: ({ totals, grouping }) => totals.map((total) => ({ ...total, grouping })),
    }),
    removed: t.field({
      type: [FleetTotalKey],
      complexity: FEW,
      description: 'The totals that there are no more.',
      resolve: ({ removed, grouping }) => removed.map((key) => ({ ...key, grouping })),
    }),
    complete: t.exposeBoolean('complete', {
      description:
        'Whether this is all that was different at that time. An event has 1,000 of each at most; where it is false, the next one ' +
        'follows at once with more.',
    }),
  }),
});

builder.subscriptionField('fleetTotalsChanged', (t) =>
  t.field({
    authScopes: READERS,
    type: FleetTotalsChange,
    description:
      'The totals of fleetTotals, all of them at once and then those that have changed, at most every so many seconds and only when ' +
      'any has. Writes of every program count as soon as fleetTotals shows them. There is no cursor: a stream that was cut is begun ' +
      'anew, and begins with all. What is INVALID_INPUT in fleetTotals is here, too; and so are more than ' +
      `${MOST_ROWS} totals, and everySeconds out of its bounds.`,
    args: {
      filter: t.arg({ type: FleetTotalsFilter, description: 'Which providers; without it, all.' }),
      groupBy: t.arg({
        type: FleetGrouping,
        description: 'What to tell apart; without it, nothing but the class.',
      }),
      everySeconds: t.arg.int({
        required: true,
        defaultValue: EVERY_SECONDS.usual,
        description: `The least time between two events, from ${EVERY_SECONDS.least} to ${EVERY_SECONDS.most} seconds.`,
      }),
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
