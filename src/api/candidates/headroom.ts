import { ensure } from '../../model/input.js';
import { countHeadroom, countTrees, type CountedHeadroom } from '../../moves/headroom/currentHeadroom.js';
import { withHoldings } from '../../moves/heldConsumers.js';
import { objectType, query } from '../builder.js';
import { required, withDefault } from '../inputFields.js';
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

const HeadroomRef = objectType<CountedHeadroom>('Headroom', {
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
    whatIf: WHAT_IF,
  },
  complexity: ({ request, whatIf }) => ({
    field: 1000 + costOfEntries(request) + costOfWhatIf(whatIf),
    multiplier: 1,
  }),
  resolve: async (_, { request, upTo, whatIf }, context) => {
    const { snapshots, database, operation } = contextWith(context, whatIf);
    ensure(upTo >= 1 && upTo <= MOST_UP_TO, ['upTo'], `upTo ${upTo} is not from 1 to ${MOST_UP_TO}`);
    const stated = await withHoldings(database, requestOf(request, context));
    return countHeadroom(snapshots, stated, upTo, operation);
  },
});
