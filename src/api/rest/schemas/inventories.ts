import { LARGEST_INTEGER } from '../../../model/input.js';
import { CLASS_PATTERN, closed, GENERATION } from './names.js';

const from = (minimum: number) => ({ type: 'integer', minimum, maximum: LARGEST_INTEGER }) as const;

/** The largest ratio that the single-precision column holds. */
const LARGEST_RATIO = 3.40282e38;

const AMOUNTS = {
  resource_provider_generation: GENERATION,
  total: from(1),
  reserved: from(0),
  min_unit: from(1),
  max_unit: from(1),
  step_size: from(1),
  allocation_ratio: { type: 'number', maximum: LARGEST_RATIO },
} as const;

const CLASS = { type: 'string', pattern: CLASS_PATTERN } as const;

export const CREATE_INVENTORY = closed({ ...AMOUNTS, resource_class: CLASS }, ['total', 'resource_class']);
export const REPLACE_INVENTORY = closed(AMOUNTS, ['total', 'resource_provider_generation']);

/** The inventories of one provider, by resource class. */
const INVENTORIES = {
  type: 'object',
  patternProperties: { [CLASS_PATTERN]: closed(AMOUNTS, ['total']) },
  additionalProperties: false,
} as const;

export const REPLACE_INVENTORIES = closed(
  { resource_provider_generation: GENERATION, inventories: INVENTORIES },
  ['resource_provider_generation', 'inventories'],
);

export interface AmountsBody {
  readonly total: number;
  readonly reserved?: number;
  readonly min_unit?: number;
  readonly max_unit?: number;
  readonly step_size?: number;
  readonly allocation_ratio?: number;
}

export interface CreateInventoryBody extends AmountsBody {
  readonly resource_class: string;
}

export interface ReplaceInventoryBody extends AmountsBody {
  readonly resource_provider_generation: number;
}

export interface ReplaceInventoriesBody {
  readonly resource_provider_generation: number;
  readonly inventories: Readonly<Record<string, AmountsBody>>;
}
