import { InvalidInput } from '../../domain/invalidInput.js';
import { CONSUMER_TYPE } from '../../ledger/allocation/allocationInput.js';
import { builder } from '../builder.js';

/** Words in place of a type that no type can be, because types are in upper case (rule 4). */
export const ALL = 'all';
export const UNKNOWN = 'unknown';

const GROUPS = {
  ALL: { description: 'All consumers, whether their type is known or not.' },
  UNKNOWN: { description: 'Those without a type.' },
} as const;

export const ConsumerTypeGroup = builder.enumType('ConsumerTypeGroup', {
  description: 'Consumers taken together that are not those of one type.',
  values: GROUPS,
});

interface TypeArguments {
  readonly consumerType?: string | null;
  readonly consumerTypeGroup?: keyof typeof GROUPS | null;
}

/** The group that the arguments name, by itself or by its word; null where they name a type, or nothing. */
export function typeGroup({ consumerType, consumerTypeGroup }: TypeArguments): keyof typeof GROUPS | null {
  if (consumerType === ALL) return 'ALL';
  return consumerType === UNKNOWN ? 'UNKNOWN' : (consumerTypeGroup ?? null);
}

/**
 * The type that arguments name: null for untyped ones, undefined for all.
 *
 * @throws InvalidInput for both a type and a group, and for what is no type
 */
export function typeCondition(args: TypeArguments, path: readonly string[]): string | null | undefined {
  const { consumerType, consumerTypeGroup } = args;
  if (consumerType != null && consumerTypeGroup != null)
    throw new InvalidInput(
      [...path, 'consumerTypeGroup'],
      'give consumerType or consumerTypeGroup, not both',
    );
  const group = typeGroup(args);
  if (group !== null) return group === 'UNKNOWN' ? null : undefined;
  if (consumerType == null) return undefined;
  if (CONSUMER_TYPE.test(consumerType)) return consumerType;
  throw new InvalidInput(
    [...path, 'consumerType'],
    `${JSON.stringify(consumerType.slice(0, 60))} is neither a consumer type nor "${ALL}" nor "${UNKNOWN}"`,
  );
}
