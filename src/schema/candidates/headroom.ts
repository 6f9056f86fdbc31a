import { InvalidInput } from '../../domain/invalidInput.js';
import { countHeadroom, countTrees, type CountedHeadroom } from '../../placement/headroom.js';
import { withHoldings } from '../../placement/heldConsumers.js';
import { builder } from '../builder.js';
import { AllocationCandidatesInput, requestOf } from './candidateRequest.js';
import { READERS } from '../access/rules.js';

/** No more than this many are counted. */
const MOST_UP_TO = 100_000;

const HeadroomRef = builder.objectRef<CountedHeadroom>('Headroom').implement({
  description: 'How many more of a request fit.',
  fields: (t) => ({
    count: t.exposeInt('count', {
      description: 'So many consumers can be claimed one after another, now; at most upTo.',
    }),
    reachedUpTo: t.exposeBoolean('reachedUpTo', {
      description: 'True when the count stopped at upTo: there may be more.',
    }),
    exact: t.exposeBoolean('exact', {
      description:
        'True when it is proven that no choice of candidates lets one more be claimed (up to upTo). False where count is only a ' +
        'proven lower bound of the maximum: other choices might fit some more.',
    }),
    trees: t.int({
      description:
        'How many trees could take the request at least once. Worked out only when it is asked for.',
      complexity: { field: 1000, multiplier: 1 },
      resolve: (headroom, _, { operation }) => countTrees(headroom, operation),
    }),
  }),
});

builder.queryField('headroom', (t) =>
  t.field({
    authScopes: READERS,
    type: HeadroomRef,
    nullable: true,
    description:
      'How many consumers of this request could be claimed one after another now. Nothing is claimed. A request that is ' +
      'malformed, or names an unknown trait or resource class, is an error with the code INVALID_INPUT. Costs a visit of every ' +
      'tree that has room, until upTo is reached, and one for each claim counted.',
    args: {
      request: t.arg({
        type: AllocationCandidatesInput,
        required: true,
        description: 'What each consumer asks for. Its orderBy and seed have no effect.',
      }),
      upTo: t.arg.int({
        required: true,
        defaultValue: 1000,
        description: `Where to stop counting, from 1 to ${MOST_UP_TO}.`,
      }),
    },
    complexity: { field: 1000, multiplier: 1 },
    resolve: async (_, { request, upTo }, { snapshots, database, operation }) => {
      if (upTo < 1 || upTo > MOST_UP_TO)
        throw new InvalidInput(['upTo'], `upTo ${upTo} is not from 1 to ${MOST_UP_TO}`);
      const stated = await withHoldings(database.pool, requestOf(request));
      return countHeadroom(snapshots, stated, upTo, operation);
    },
  }),
);
