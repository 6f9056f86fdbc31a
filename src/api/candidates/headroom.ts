import { ensure } from '../../model/input.js';
import { countHeadroom, countTrees, type CountedHeadroom } from '../../moves/headroom/currentHeadroom.js';
import { withHoldings } from '../../moves/heldConsumers.js';
import { objectType, query } from '../builder.js';
import { optional, required, withDefault } from '../inputFields.js';
import { amountsOf, countOf, fitOf, QuotaFitRef, type QuotaFit } from '../quota/quotaFit.js';
import {
  AllocationCandidatesInput,
  requestOf,
  contextWith,
  costOfWhatIf,
  WHAT_IF,
} from './candidateRequest.js';
import { costOfEntries } from '../cost/operationCost.js';

/** The largest value of `upTo`. */
const MOST_UP_TO = 100_000;

/** A count with the quotas that bound it. */
interface BoundedHeadroom extends CountedHeadroom {
  /** Null without a project. */
  readonly quota: QuotaFit | null;
  /** The count of the fleet alone. */
  readonly inFleet: number;
}

const HeadroomRef = objectType<BoundedHeadroom>('Headroom', {
  description: 'The number of further consumers that fit.',
  fields: (t) => ({
    count: t.exposeInt('count', {
      description: 'The number of consumers that can be claimed one after another; at most upTo.',
    }),
    reachedUpTo: t.exposeBoolean('reachedUpTo', {
      description: 'True if the count stopped at upTo.',
    }),
    exact: t.exposeBoolean('exact', {
      description: 'False if count is a lower bound: other choices, or more time, might fit more.',
    }),
    inFleet: t.exposeInt('inFleet', {
      description: 'The number that fits the fleet, whatever the quotas; at most upTo.',
    }),
    quota: t.expose('quota', {
      type: QuotaFitRef,
      nullable: true,
      description: 'Whether the quotas of the project allow the request. Null without `projectId`.',
    }),
    trees: t.int({
      description: 'The number of trees with a candidate.',
      complexity: { field: 1000, multiplier: 1 },
      resolve: (headroom, _, { operation }) => countTrees(headroom, operation),
    }),
  }),
});

query('headroom', {
  type: HeadroomRef,
  description: 'Counts how many consumers fit. Claims nothing. Fails with INVALID_INPUT.',
  args: {
    request: required(
      AllocationCandidatesInput,
      'The request of each consumer. orderBy and seed have no effect.',
    ),
    upTo: withDefault('Int', 1000, `Where to stop counting, from 1 to ${MOST_UP_TO}. Defaults to 1000.`),
    projectId: optional('String', 'The project of the consumers, whose quotas bound the count.'),
    whatIf: WHAT_IF,
  },
  complexity: ({ request, whatIf }) => ({
    field: 1000 + costOfEntries(request) + costOfWhatIf(whatIf),
    multiplier: 1,
  }),
  resolve: async (_, { request, upTo, projectId, whatIf }, context) => {
    const { snapshots, database, operation } = contextWith(context, whatIf);
    ensure(upTo >= 1 && upTo <= MOST_UP_TO, ['upTo'], `upTo ${upTo} is not from 1 to ${MOST_UP_TO}`);
    const stated = await withHoldings(database, requestOf(request, context));
    const quota = projectId == null ? null : await fitOf(context, projectId, amountsOf(stated));
    const headroom = await countHeadroom(snapshots, stated, upTo, operation);
    const most = (quota && countOf(quota)) ?? Infinity;
    const { count: inFleet } = headroom;
    if (most >= inFleet) return { ...headroom, quota, inFleet };
    return { ...headroom, quota, inFleet, count: most, reachedUpTo: false, exact: true };
  },
});
