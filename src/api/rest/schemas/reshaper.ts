import {
  keyed,
  RESHAPED_CONSUMERS,
  RESHAPED_WITH_MAPPINGS,
  RESHAPED_WITH_TYPE,
  UUID_KEY,
  type ConsumersBody,
} from './allocations.js';
import { REPLACE_INVENTORIES, type ReplaceInventoriesBody } from './inventories.js';
import { closed } from './names.js';

const reshaped = (allocations: object) =>
  closed({ inventories: keyed(UUID_KEY, REPLACE_INVENTORIES, 1), allocations }, ['inventories', 'allocations']);

export const RESHAPE = reshaped(RESHAPED_CONSUMERS);
export const RESHAPE_WITH_MAPPINGS = reshaped(RESHAPED_WITH_MAPPINGS);
export const RESHAPE_WITH_TYPE = reshaped(RESHAPED_WITH_TYPE);

export interface ReshapeBody {
  readonly inventories: Readonly<Record<string, ReplaceInventoriesBody>>;
  readonly allocations: ConsumersBody;
}
