import {
  CapacityExceeded,
  ConsumerGenerationConflict,
  NoInventory,
  UnitViolation,
} from '../../ledger/errors.js';
import { errorType, generationFields } from '../errors.js';

const ALLOCATION = {
  resourceProviderUuid: { type: 'UUID', description: 'The resource provider.' },
  resourceClassName: { type: 'String', description: 'The resource class.' },
} as const;

errorType(ConsumerGenerationConflict, 'CONSUMER_GENERATION_CONFLICT', {
  consumerUuid: { type: 'UUID', description: 'The consumer.' },
  ...generationFields(
    'The generation in the input. Null if it requires absence.',
    'The current generation. Null if absent.',
  ),
});

errorType(NoInventory, 'NO_INVENTORY', ALLOCATION);

errorType(UnitViolation, 'UNIT_VIOLATION', {
  ...ALLOCATION,
  requested: { type: 'SafeInt', description: 'The amount that one consumer requests.' },
  minUnit: { type: 'Int', description: 'The smallest amount of one allocation.' },
  maxUnit: { type: 'Int', description: 'The largest amount of one allocation.' },
  stepSize: { type: 'Int', description: 'An amount is a multiple of this, or exactly minUnit.' },
});

errorType(CapacityExceeded, 'CAPACITY_EXCEEDED', {
  ...ALLOCATION,
  requested: { type: 'SafeInt', description: 'The total amount that the input requests.' },
  capacity: { type: 'SafeInt', description: 'The capacity of the inventory.' },
  used: { type: 'SafeInt', description: 'The amount in use by consumers that the input does not name.' },
});
