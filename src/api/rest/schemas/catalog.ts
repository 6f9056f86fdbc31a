import { closed, CUSTOM_PATTERN, GENERATION, UUID } from './names.js';

const LONGEST_NAME = 255;
const TEXT = { type: 'string' } as const;

/** The name of a custom resource class, as the body of a request. */
export const CUSTOM_CLASS = closed(
  { name: { type: 'string', pattern: CUSTOM_PATTERN, maxLength: LONGEST_NAME } },
  ['name'],
);

export interface CustomClassBody {
  readonly name: string;
}

export const LIST_TRAITS = closed({ name: TEXT, associated: TEXT });

export const SET_TRAITS = closed(
  {
    traits: { type: 'array', items: { type: 'string', minLength: 1, maxLength: LONGEST_NAME } },
    resource_provider_generation: GENERATION,
  },
  ['traits', 'resource_provider_generation'],
);

export interface SetTraitsBody {
  readonly traits: readonly string[];
  readonly resource_provider_generation: number;
}

/** The aggregates of a provider: a bare list, and from 1.19 an object with the generation. */
export const AGGREGATES = { type: 'array', items: UUID, uniqueItems: true } as const;
export const SET_AGGREGATES = closed({ aggregates: AGGREGATES, resource_provider_generation: GENERATION }, [
  'aggregates',
  'resource_provider_generation',
]);

export type SetAggregatesBody =
  | readonly string[]
  | { readonly aggregates: readonly string[]; readonly resource_provider_generation: number };

const OWNER = { type: 'string', minLength: 1, maxLength: LONGEST_NAME } as const;
const OWNERS = { project_id: OWNER, user_id: OWNER };
const CONSUMER_TYPE = {
  type: 'string',
  pattern: '^[A-Z0-9_]+$|^all$|^unknown$',
  minLength: 1,
  maxLength: LONGEST_NAME,
} as const;

export const USAGES = closed(OWNERS, ['project_id']);
export const USAGES_BY_TYPE = closed({ ...OWNERS, consumer_type: CONSUMER_TYPE }, ['project_id']);
