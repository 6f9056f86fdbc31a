import type { Amount } from './arguments.js';
import type * as api from '../generated/client/operations.js';

/** A consumer's allocations from one provider. Readers of a project get empty uuids and names. */
export interface Part {
  readonly uuid: string;
  readonly name: string;
  readonly resources: Amount[];
}

/** Returns the allocations of a consumer by provider. */
export function byProvider({ allocations }: api.ConsumerFieldsFragment): Part[] {
  const parts = new Map<string, Part>();
  for (const { resourceProvider, resourceClass, amount } of allocations) {
    const { uuid, name } = resourceProvider ?? { uuid: '', name: '' };
    const part = parts.get(uuid) ?? { uuid, name, resources: [] };
    part.resources.push({ resourceClass: resourceClass.name, amount });
    parts.set(part.uuid, part);
  }
  return [...parts.values()];
}
