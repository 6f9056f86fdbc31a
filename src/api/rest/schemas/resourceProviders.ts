import { closed, NULLABLE_UUID, UUID } from './names.js';

const NAME = { type: 'string', maxLength: 200 } as const;
const PARENT = { parent_provider_uuid: NULLABLE_UUID };

export const CREATE_PROVIDER = closed({ name: NAME, uuid: UUID }, ['name']);
export const CREATE_NESTED_PROVIDER = closed({ name: NAME, uuid: UUID, ...PARENT }, ['name']);
export const UPDATE_PROVIDER = closed({ name: NAME }, ['name']);
export const UPDATE_NESTED_PROVIDER = closed({ name: NAME, ...PARENT }, ['name']);

export interface ProviderBody {
  readonly name: string;
  readonly uuid?: string;
  readonly parent_provider_uuid?: string | null;
}

const TEXT = { type: 'string' } as const;
const BY_NAME = { name: TEXT, uuid: UUID };
const BY_AGGREGATE = { ...BY_NAME, member_of: TEXT };
const BY_RESOURCES = { ...BY_AGGREGATE, resources: TEXT };
const BY_TREE = { ...BY_RESOURCES, in_tree: UUID };

export const LIST_BY_NAME = closed(BY_NAME);
export const LIST_BY_AGGREGATE = closed(BY_AGGREGATE);
export const LIST_BY_RESOURCES = closed(BY_RESOURCES);
export const LIST_BY_TREE = closed(BY_TREE);
export const LIST_BY_TRAITS = closed({ ...BY_TREE, required: TEXT });
