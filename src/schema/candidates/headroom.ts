import { headroomOf, treesWithHeadroom, type Headroom } from '../../engine/headroom/headroom.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { planRequest, type Plan } from '../../engine/model/plan.js';
import type { Snapshot } from '../../engine/model/snapshot.js';
import { builder } from '../builder.js';
import { AllocationCandidatesInput, requestOf } from './candidateRequest.js';
import { validateIn } from '../../placement/candidateSearch.js';
import { resultInSlices } from '../../placement/timeSlices.js';

/** No more than this many are counted. */
const MOST_UP_TO = 100_000;

/** A count together with what it was counted in: the trees are counted only when they are asked for. */
interface CountedHeadroom extends Headroom {
  readonly snapshot: Snapshot;
  /** Null when nothing could be searched: some condition names what nobody has. */
  readonly plan: Plan | null;
}

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
      resolve: ({ snapshot, plan }, _, { signal }) =>
        plan === null
          ? 0
          : resultInSlices((effort) => treesWithHeadroom(snapshot, plan, effort), {
              what: 'counting the trees with room',
              signal,
            }),
    }),
  }),
});

builder.queryField('headroom', (t) =>
  t.field({
    type: HeadroomRef,
    nullable: true,
    description:
      'How many consumers of this request could be claimed one after another now. Nothing is claimed. A request that is ' +
      'malformed, or names an unknown trait or resource class, is an error with the code INVALID_INPUT. Costs a look at every ' +
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
    resolve: async (_, { request, upTo }, { snapshots, signal }): Promise<CountedHeadroom> => {
      if (upTo < 1 || upTo > MOST_UP_TO)
        throw new InvalidInput(['upTo'], `upTo ${upTo} is not from 1 to ${MOST_UP_TO}`);
      const snapshot = await snapshots.current();
      const wanted = requestOf(request);
      validateIn(snapshot, wanted);
      const plan = planRequest(snapshot, wanted);
      if (plan === null) return { snapshot, plan, count: 0, reachedUpTo: false, exact: true };
      const headroom = await resultInSlices((effort) => headroomOf(snapshot, plan, upTo, effort), {
        what: 'counting the headroom',
        signal,
      });
      return { snapshot, plan, ...headroom };
    },
  }),
);
