import { ensure } from '../../domain/invalidInput.js';
import { CONSUMER_TYPE } from '../../ledger/allocation/allocationInput.js';
import { builder } from '../builder.js';

export const ConsumerTypeFilter = builder.inputType('ConsumerTypeFilter', {
  description: 'Consumers of one type, or without a type.',
  isOneOf: true,
  fields: (t) => ({
    name: t.string({ description: 'Consumers of the type with this name.' }),
    none: t.boolean({
      description: 'True: no type. False fails with INVALID_INPUT.',
    }),
  }),
});

/**
 * Returns the name of the type; null for consumers without a type, undefined for all.
 *
 * @throws InvalidInput if no type can have the name, and for `none: false`
 */
export function typeCondition(
  filter: typeof ConsumerTypeFilter.$inferInput | null | undefined,
  path: readonly string[],
): string | null | undefined {
  if (filter == null) return undefined;
  const { name } = filter;
  if (name == null) {
    ensure(filter.none === true, [...path, 'none'], 'none must be true');
    return null;
  }
  const message = `${JSON.stringify(name.slice(0, 60))} is not the name of a consumer type`;
  ensure(CONSUMER_TYPE.test(name), [...path, 'name'], message);
  return name;
}
