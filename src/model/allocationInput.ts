import { InvalidInput, unknownName } from './invalidInput.js';
import { checkEach } from './names.js';

/** The allocations of a consumer on one provider: at least one class (rule 93), each once. */
export interface ProviderAllocationInput {
  readonly resourceProvider: string;
  readonly resources: readonly { readonly resourceClass: string; readonly amount: number }[];
}

/** Stands for any stored generation, or none (decision D26). */
export const ANY_GENERATION = 'ANY' as const;

/**
 * The desired state of a consumer with all its allocations. Without any, the consumer ceases to exist (rules 82, 90,
 * 92).
 */
export interface ConsumerAllocationsInput {
  readonly consumer: string;
  /** Null: the consumer must not exist yet (rule 83). ANY_GENERATION: not checked. */
  readonly generation?: number | typeof ANY_GENERATION | null;
  /** Null keeps the stored type; a new consumer is then untyped. */
  readonly type?: string | null;
  readonly projectId: string;
  readonly userId: string;
  readonly allocations: readonly ProviderAllocationInput[];
}

/** Returns the resource classes of the allocations. */
export function classesNamed(inputs: readonly ConsumerAllocationsInput[]): Set<string> {
  return new Set(
    inputs.flatMap(({ allocations }) =>
      allocations.flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass)),
    ),
  );
}

/** The syntax of a consumer type (rule 3). */
export const CONSUMER_TYPE = /^[A-Z0-9_]{1,255}$/;
const LONGEST_EXTERNAL_ID = 255;

/**
 * Rejects the first value in input order that rules 3, 11, 14, 90-93 or decisions D7 and D12 forbid
 * regardless of the stored state. `classes` has the ids of the named resource classes that exist.
 */
export function checkConsumers(
  inputs: readonly ConsumerAllocationsInput[],
  path: readonly string[],
  classes: ReadonlyMap<string, number>,
): void {
  checkEach(inputs, 'consumer', path, (input, here) => {
    checkConsumerType(input.type, [...here, 'type']);
    checkExternalId(input.projectId, [...here, 'projectId'], 'project');
    checkExternalId(input.userId, [...here, 'userId'], 'user');
    checkAllocations(input.allocations, [...here, 'allocations', 'providers'], classes);
  });
}

/** Rejects a malformed consumer type. Accepts null and undefined, which name no type. */
export function checkConsumerType(consumerType: string | null | undefined, path: readonly string[]): void {
  if (consumerType == null || CONSUMER_TYPE.test(consumerType)) return;
  throw new InvalidInput(
    path,
    `consumer type ${JSON.stringify(consumerType)} is not 1 to 255 of A-Z, 0-9 and _`,
  );
}

function checkAllocations(
  allocations: readonly ProviderAllocationInput[],
  path: readonly string[],
  classes: ReadonlyMap<string, number>,
): void {
  checkEach(allocations, 'resourceProvider', path, ({ resourceProvider, resources }, here) => {
    const list = [...here, 'resources'];
    if (resources.length === 0)
      throw new InvalidInput(list, `resource provider ${resourceProvider} has no resources`);
    checkEach(resources, 'resourceClass', list, ({ resourceClass, amount }, field) => {
      if (!classes.has(resourceClass))
        throw unknownName('resource class', resourceClass, [...field, 'resourceClass']);
      if (!Number.isSafeInteger(amount) || amount < 1) {
        const message = `the amount of ${resourceClass} is ${amount}: it must be a whole number from 1`;
        throw new InvalidInput([...field, 'amount'], message);
      }
    });
  });
}

/** Rejects the id of a project or user that is empty, longer than 255 characters or ends with a space (rule 11). */
export function checkExternalId(id: string, path: readonly string[], kind: 'project' | 'user'): void {
  const length = Array.from(id).length;
  if (id.endsWith(' ')) {
    const shown = JSON.stringify(length > 60 ? `...${id.slice(-60)}` : id);
    throw new InvalidInput(path, `the ${kind} id ${shown} ends with a space, which a database may ignore`);
  }
  if (length >= 1 && length <= LONGEST_EXTERNAL_ID && !/\p{Cs}/u.test(id)) return;
  throw new InvalidInput(
    path,
    `a ${kind} id is a text of 1 to ${LONGEST_EXTERNAL_ID} characters, this one has ${length}`,
  );
}
