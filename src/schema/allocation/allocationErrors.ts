import {
  CapacityExceeded,
  ConsumerGenerationConflict,
  NoInventory,
  UnitViolation,
} from '../../ledger/errors.js';
import { errorType, generationFields } from '../errors.js';

const ALLOCATION = {
  resourceProviderUuid: { type: 'UUID', description: 'The resource provider that is to give it.' },
  resourceClassName: { type: 'String', description: 'The resource class that is to be allocated.' },
} as const;

errorType(ConsumerGenerationConflict, 'CONSUMER_GENERATION_CONFLICT', {
  consumerUuid: { type: 'UUID', description: 'The consumer concerned.' },
  ...generationFields(
    'The generation in the input; null where the consumer was expected to be absent.',
    'The generation now; null when the consumer does not exist.',
  ),
});

errorType(NoInventory, 'NO_INVENTORY', ALLOCATION);

errorType(UnitViolation, 'UNIT_VIOLATION', {
  ...ALLOCATION,
  requested: { type: 'SafeInt', description: 'The amount that one consumer requests.' },
  minUnit: { type: 'Int', description: 'The least that one allocation may take.' },
  maxUnit: { type: 'Int', description: 'The most that one allocation may take.' },
  stepSize: { type: 'Int', description: 'An allocation takes a multiple of this, or exactly minUnit.' },
});

errorType(CapacityExceeded, 'CAPACITY_EXCEEDED', {
  ...ALLOCATION,
  requested: { type: 'SafeInt', description: 'What all consumers of the input together ask for.' },
  capacity: { type: 'SafeInt', description: 'How much may be in use.' },
  used: { type: 'SafeInt', description: 'How much is used by consumers that the input does not name.' },
});
