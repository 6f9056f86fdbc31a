import { once } from '../../model/collections.js';
import { type RequestGroup, textOfRequest } from '../../model/request.js';
import { ensure } from '../../model/input.js';
import { amountsOf, isOutdated } from '../../moves/rememberedRequests.js';
import { currentSnapshot, validateIn } from '../../search/candidateSearch.js';
import { rememberRequest } from '../../store/ledger/allocation/rememberRequest.js';
import type { RememberedRequest as Remembered } from '../../store/sql/rememberedRequests.js';
import type { ConsumerEntity } from '../../model/entities.js';
import { AllocationCandidatesInput, requestOf } from '../candidates/candidateRequest.js';
import { builder, objectType } from '../builder.js';
import { required } from '../inputFields.js';
import { idsOf, mutation } from '../mutation.js';
import { Consumer } from '../refs.js';
import { costOfEntries } from '../cost/operationCost.js';
import { fieldsOfReading, readJson } from '../storedJson.js';

interface RequestOfConsumer {
  readonly remembered: Remembered;
  readonly consumer: ConsumerEntity;
}

/** Reads a request once for all aliases of its fields. */
const inputOf = once(({ body }: Remembered) => readJson(body));

type Groups = readonly Pick<Partial<RequestGroup>, 'resources'>[];

/** Returns the amounts of a request, without its conditions, which may be long. */
const groupsOf = once(({ body }: Remembered): Groups => {
  const { groups } = JSON.parse(body) as { readonly groups: Groups };
  return groups.map(({ resources }) => ({ resources }));
});

const RememberedRequest = objectType<RequestOfConsumer>('RememberedRequest', {
  description: 'The request by which a consumer was placed.',
  fields: (t) => ({
    input: t.field({
      type: 'JSON',
      description:
        'The request in the form of AllocationCandidatesInput, without defaults and seed: a variable for ' +
        '`allocationCandidates` or `claim`.',
      resolve: ({ remembered }) => inputOf(remembered),
    }),
    isOutdated: t.boolean({
      description:
        'Whether the allocations, counters apart, have another amount of any class than the request. Plans then use the amounts of the ' +
        'allocations, and the conditions of the request.',
      resolve: async ({ remembered, consumer }, _args, { loaders, operation }) => {
        operation.fieldCount += fieldsOfReading(remembered.body.length);
        const groups = groupsOf(remembered); // now, in the time slice of the object
        const allocations = await loaders.consumers.allocationsOf(consumer);
        const counters = await Promise.all(
          allocations.map(({ provider }) => loaders.consumptions.of(provider)),
        );
        const requested = allocations.filter(
          ({ resourceClass }, at) =>
            !counters[at].some((row) => row.isCounter && row.resourceClass === resourceClass),
        );
        const amounts = requested.map(({ resourceClass, used: amount }) => ({ resourceClass, amount }));
        return isOutdated(groups, amounts);
      },
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the request was remembered.',
      resolve: ({ remembered }) => remembered.createdAt,
    }),
  }),
});

builder.objectField(Consumer, 'request', (t) =>
  t.field({
    type: RememberedRequest,
    nullable: true,
    description: 'The request of its last claim, or of `rememberRequests`. Null if it has none.',
    resolve: async (consumer, _args, { loaders }) => {
      const remembered = await loaders.requests.load(consumer.uuid);
      return remembered && { remembered, consumer };
    },
  }),
);

const RememberRequestsInput = builder.inputType('RememberRequestsInput', {
  description: 'A request to remember for consumers that were placed without `claim`.',
  fields: () => ({
    consumers: required(
      ['UUID'],
      'The consumers, at least one, each once. Unknown ones fail with NOT_FOUND.',
    ),
    request: required(
      AllocationCandidatesInput,
      'The request. Fails with INVALID_INPUT if a consumer has other amounts.',
    ),
  }),
});

const RememberRequestsPayload = objectType<{ readonly consumers: readonly string[] }>(
  'RememberRequestsPayload',
  {
    description: 'The result of rememberRequests.',
    fields: (t) => ({
      consumers: t.field({
        type: [Consumer],
        description: 'The consumers.',
        resolve: ({ consumers }, _args, { loaders }) => loaders.consumers.existing(consumers),
      }),
    }),
  },
);

mutation('rememberRequests', {
  payload: RememberRequestsPayload,
  description:
    'Remembers a request for consumers of other programs, as `claim` does for its own. Changes no allocations and no ' +
    'generations.',
  input: [RememberRequestsInput, 'The consumers and their request.'],
  cost: ({ request }) => costOfEntries(request),
  errors: ['INVALID_INPUT', 'NOT_FOUND'],
  resolve: async ({ consumers, request: input }, context) => {
    const request = requestOf(input, context);
    validateIn(await currentSnapshot(context.snapshots, context.operation), request, ['request']);
    const text = textOfRequest(input);
    ensure(text !== null, ['request'], 'the request is too long to be remembered');
    const amounts = amountsOf(request.groups);
    await rememberRequest(context.ledger, { consumers, request: text!, amounts });
    return { consumers };
  },
  written: ({ consumers }) => idsOf(Consumer, consumers),
});
