import { LARGEST_INTEGER } from '../../../domain/capacity.js';
import {
  keyed,
  RESHAPED_CONSUMERS,
  RESHAPED_WITH_MAPPINGS,
  RESHAPED_WITH_TYPE,
  UUID_KEY,
  type ConsumersBody,
} from './allocations.js';
import { CLASS_PATTERN, closed, GENERATION } from './names.js';

const amount = (minimum: number) => ({ type: 'integer', minimum, maximum: LARGEST_INTEGER });

const INVENTORY = closed(
  {
    resource_provider_generation: GENERATION,
    total: amount(1),
    reserved: amount(0),
    min_unit: amount(1),
    max_unit: amount(1),
    step_size: amount(1),
    allocation_ratio: { type: 'number', maximum: 3.40282e38 },
  },
  ['total'],
);
const INVENTORIES = closed(
  {
    resource_provider_generation: GENERATION,
    inventories: { type: 'object', patternProperties: { [CLASS_PATTERN]: INVENTORY } },
  },
  ['resource_provider_generation', 'inventories'],
);

const reshaped = (allocations: object) =>
  closed({ inventories: keyed(UUID_KEY, INVENTORIES, 1), allocations }, ['inventories', 'allocations']);

export const RESHAPE = reshaped(RESHAPED_CONSUMERS);
export const RESHAPE_WITH_MAPPINGS = reshaped(RESHAPED_WITH_MAPPINGS);
export const RESHAPE_WITH_TYPE = reshaped(RESHAPED_WITH_TYPE);

/** The amounts of an inventory. Absent ones have defaults (rule 17). */
export interface InventoryBody {
  readonly total: number;
  readonly reserved?: number;
  readonly min_unit?: number;
  readonly max_unit?: number;
  readonly step_size?: number;
  readonly allocation_ratio?: number;
}

export interface ReshapeBody {
  readonly inventories: Readonly<
    Record<
      string,
      {
        readonly resource_provider_generation: number;
        readonly inventories: Readonly<Record<string, InventoryBody>>;
      }
    >
  >;
  readonly allocations: ConsumersBody;
}
