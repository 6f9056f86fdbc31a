import {
  CapacityExceeded,
  ConsumerGenerationConflict,
  NoInventory,
  UnitViolation,
} from '../../ledger/errors.js';
import { builder } from '../builder.js';
import { common } from '../errors.js';

const PROVIDER = 'The resource provider that is to give it.';
const CLASS = 'The resource class that is to be allocated.';

builder.objectType(ConsumerGenerationConflict, {
  ...common('CONSUMER_GENERATION_CONFLICT'),
  fields: (t) => ({
    consumerUuid: t.expose('consumerUuid', { type: 'UUID', description: 'The consumer concerned.' }),
    expectedGeneration: t.exposeInt('expectedGeneration', {
      nullable: true,
      description: 'The generation in the input; null where the consumer was expected to be absent.',
    }),
    currentGeneration: t.exposeInt('currentGeneration', {
      nullable: true,
      description: 'The generation now; null when the consumer does not exist.',
    }),
  }),
});

builder.objectType(NoInventory, {
  ...common('NO_INVENTORY'),
  fields: (t) => ({
    resourceProviderUuid: t.expose('resourceProviderUuid', { type: 'UUID', description: PROVIDER }),
    resourceClassName: t.exposeString('resourceClassName', { description: CLASS }),
  }),
});

builder.objectType(UnitViolation, {
  ...common('UNIT_VIOLATION'),
  fields: (t) => ({
    resourceProviderUuid: t.expose('resourceProviderUuid', { type: 'UUID', description: PROVIDER }),
    resourceClassName: t.exposeString('resourceClassName', { description: CLASS }),
    requested: t.expose('requested', {
      type: 'SafeInt',
      description: 'The amount that one consumer asks for.',
    }),
    minUnit: t.exposeInt('minUnit', { description: 'The least that one allocation may take.' }),
    maxUnit: t.exposeInt('maxUnit', { description: 'The most that one allocation may take.' }),
    stepSize: t.exposeInt('stepSize', {
      description: 'An allocation takes a multiple of this, or exactly minUnit.',
    }),
  }),
});

builder.objectType(CapacityExceeded, {
  ...common('CAPACITY_EXCEEDED'),
  fields: (t) => ({
    resourceProviderUuid: t.expose('resourceProviderUuid', { type: 'UUID', description: PROVIDER }),
    resourceClassName: t.exposeString('resourceClassName', { description: CLASS }),
    requested: t.expose('requested', {
      type: 'SafeInt',
      description: 'What all consumers of the input together ask for.',
    }),
    capacity: t.expose('capacity', { type: 'SafeInt', description: 'How much may be in use.' }),
    used: t.expose('used', {
      type: 'SafeInt',
      description: 'How much is used by consumers that the input does not name.',
    }),
  }),
});
