import { closed } from './names.js';

const TEXT = { type: 'string' } as const;
const LIMIT = { limit: { type: 'string', pattern: '^[1-9][0-9]*$' } } as const;
const POLICY = { group_policy: { type: 'string', enum: ['none', 'isolate'] } } as const;

/** The suffixes of request groups: numbers, and from version 1.33 on names. */
export const NUMBER_SUFFIX = '[1-9][0-9]*';
export const NAME_SUFFIX = '[a-zA-Z0-9_-]{1,64}';

/** The parameters of a request group. Each may have the suffix of its group. */
export const GROUP_KEYS = ['resources', 'required', 'member_of', 'in_tree'] as const;
export type GroupKey = (typeof GROUP_KEYS)[number];

function suffixed(suffix: string, keys: readonly GroupKey[], properties: object = {}) {
  const patterns = keys.map((key) => [`^${key}(${suffix})?$`, TEXT] as const);
  return { ...closed({ ...LIMIT, ...POLICY, ...properties }), patternProperties: Object.fromEntries(patterns) };
}

export const BY_RESOURCES = closed({ resources: TEXT }, ['resources']);
export const LIMITED = closed({ resources: TEXT, ...LIMIT }, ['resources']);
export const WITH_TRAITS = closed({ resources: TEXT, ...LIMIT, required: TEXT }, ['resources']);
export const WITH_AGGREGATES = closed({ resources: TEXT, ...LIMIT, required: TEXT, member_of: TEXT }, [
  'resources',
]);
export const WITH_GROUPS = suffixed(NUMBER_SUFFIX, ['resources', 'required', 'member_of']);
export const WITH_TREES = suffixed(NUMBER_SUFFIX, GROUP_KEYS);
export const WITH_NAMED_GROUPS = suffixed(NAME_SUFFIX, GROUP_KEYS);
export const WITH_ROOT = suffixed(NAME_SUFFIX, GROUP_KEYS, { root_required: TEXT });
export const WITH_SUBTREES = suffixed(NAME_SUFFIX, GROUP_KEYS, { root_required: TEXT, same_subtree: TEXT });
