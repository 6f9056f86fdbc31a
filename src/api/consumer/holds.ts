import { changeHolds } from '../../store/ledger/allocation/changeHolds.js';
import { consumerIds } from '../allocation/allocationWrites.js';
import { CONSUMER_UUID } from '../allocation/allocationsInput.js';
import { builder, objectType } from '../builder.js';
import { COUNTED_ABOVE } from '../cost/operationCost.js';
import { required } from '../inputFields.js';
import { mutation } from '../mutation.js';
import { Consumer } from '../refs.js';

const HELD = {
  consumer: CONSUMER_UUID,
  generation: required('Int', 'The generation read before. If stale: CONSUMER_GENERATION_CONFLICT.'),
};

const ExtendedConsumerInput = builder.inputType('ExtendedConsumerInput', {
  description: 'A consumer that is to end at another time.',
  fields: () => ({
    ...HELD,
    expiresAt: required('DateTime', 'The new time, earlier or later: within 366 days from now.'),
  }),
});

const ExtendConsumersInput = builder.inputType('ExtendConsumersInput', {
  description: 'The consumers to extend, all or none.',
  fields: () => ({
    consumers: required([ExtendedConsumerInput], 'The consumers, at least one, each once.'),
  }),
});

const ConfirmedConsumerInput = builder.inputType('ConfirmedConsumerInput', {
  description: 'A consumer that is to stay.',
  fields: () => HELD,
});

const ConfirmConsumersInput = builder.inputType('ConfirmConsumersInput', {
  description: 'The consumers to confirm, all or none.',
  fields: () => ({
    consumers: required([ConfirmedConsumerInput], 'The consumers, at least one, each once.'),
  }),
});

function payloadOf(name: string) {
  return objectType<readonly string[]>(`${name}Payload`, {
    description: `The result of ${name.charAt(0).toLowerCase()}${name.slice(1)}.`,
    fields: (t) => ({
      consumers: t.field({
        type: [Consumer],
        complexity: COUNTED_ABOVE,
        description: 'The consumers after the change, in the order of the input.',
        resolve: (uuids, _args, { loaders }) => loaders.consumers.existing(uuids),
      }),
    }),
  });
}

const ERRORS = ['INVALID_INPUT', 'NOT_FOUND', 'CONSUMER_GENERATION_CONFLICT'] as const;

mutation('extendConsumers', {
  payload: payloadOf('ExtendConsumers'),
  description:
    'Sets new times at which consumers end by themselves, all or none. Fails with NOT_FOUND if one has ended or has no such time.',
  input: [ExtendConsumersInput, 'The consumers and the times.'],
  errors: ['OLDER_SERVER', ...ERRORS],
  resolve: async ({ consumers }, { ledger }) => {
    await changeHolds(ledger, consumers);
    return consumers.map(({ consumer }) => consumer);
  },
  written: (_payload, { consumers }) => consumerIds(consumers),
});

mutation('confirmConsumers', {
  payload: payloadOf('ConfirmConsumers'),
  description:
    'Lets consumers stay that would end by themselves, all or none. Fails with NOT_FOUND if one has ended or has no such time.',
  input: [ConfirmConsumersInput, 'The consumers.'],
  errors: [...ERRORS],
  resolve: async ({ consumers }, { ledger }) => {
    await changeHolds(ledger, consumers);
    return consumers.map(({ consumer }) => consumer);
  },
  written: (_payload, { consumers }) => consumerIds(consumers),
});
