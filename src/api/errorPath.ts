import type { DomainError, ErrorCode } from '../model/errors.js';
import type * as errors from '../model/rejections.js';

/** A value within an input, with the object or list that contains it. */
interface Place {
  readonly field: string;
  readonly value: unknown;
  readonly owner: Place | null;
}

type Cause = (place: Place) => boolean;

type Rejections = typeof errors;
type RejectionOf<Code> = Extract<InstanceType<Rejections[keyof Rejections]>, { readonly code: Code }>;

/** The predicates that match the cause of a rejection in an input, in order of preference. */
const CAUSES: { readonly [Code in ErrorCode]?: (error: RejectionOf<Code>) => readonly Cause[] } = {
  NOT_FOUND: ({ entity, key }) => [
    ({ value, owner }) => value === key && (entity !== 'INVENTORY' || isWithin(owner, 'inventories')),
  ],
  DUPLICATE_NAME: ({ providerName }) => [isField('name', providerName)],
  DUPLICATE_UUID: ({ uuid }) => [isField('uuid', uuid)],
  STANDARD_IS_IMMUTABLE: ({ standardName }) => [isField('name', standardName)],
  TRAIT_IN_USE: ({ traitName }) => [isField('name', traitName)],
  RESOURCE_CLASS_IN_USE: ({ resourceClassName }) => [isField('name', resourceClassName)],
  AGGREGATE_IN_USE: ({ aggregateUuid }) => [({ value }) => value === aggregateUuid],
  ILLEGAL_REPARENT: () => [({ field }) => field === 'parent'],
  PROVIDER_HAS_CHILDREN: ({ resourceProviderUuid }) => [({ value }) => value === resourceProviderUuid],
  PROVIDER_IN_USE: ({ resourceProviderUuid }) => [({ value }) => value === resourceProviderUuid],
  PROVIDER_GENERATION_CONFLICT: ({ resourceProviderUuid }) =>
    ['resourceProvider', 'uuid'].map(
      (key) =>
        ({ field, owner }) =>
          field === 'generation' && has(owner, key, resourceProviderUuid),
    ),
  CONSUMER_GENERATION_CONFLICT: ({ consumerUuid }) =>
    ['generation', 'consumer'].map(
      (key) =>
        ({ field, value, owner }) =>
          field === key && value !== undefined && has(owner, 'consumer', consumerUuid),
    ),
  INVENTORY_IN_USE: ({ resourceClassName }) => [
    ({ value, owner }) => value === resourceClassName && owner?.field === 'remove',
    ({ field, owner }) => field === 'set' && owner?.field === 'inventories',
  ],
  NO_INVENTORY: (error) => [isAmount(error)],
  CAPACITY_EXCEEDED: (error) => [isAmount(error)],
  UNIT_VIOLATION: (error) => [(place) => place.value === error.requested && isAmount(error)(place)],
};

/** Returns the path of the first value of an input that caused a rejection; [] if none did. */
export function pathOf(error: DomainError, input: object): string[] {
  const causesOf = CAUSES[error.code] as ((error: DomainError) => readonly Cause[]) | undefined;
  for (const isCause of causesOf?.(error) ?? []) {
    const found = find({ field: '', value: input, owner: null }, isCause);
    if (found !== null) return pathTo(found);
  }
  return [];
}

/** Searches depth first in input order. Iterates, because the depth of an input is unlimited. */
function find(root: Place, isCause: Cause): Place | null {
  const open = [root];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (isCause(place)) return place;
    if (typeof place.value !== 'object' || place.value === null) continue;
    const owner = place;
    const inner = Object.entries(place.value).map(([field, value]) => ({
      field,
      value: value as unknown,
      owner,
    }));
    open.push(...inner.reverse());
  }
  return null;
}

function pathTo(place: Place): string[] {
  const path: string[] = [];
  for (let at = place; at.owner !== null; at = at.owner) path.push(at.field);
  return path.reverse();
}

function isField(name: string, of: string): Cause {
  return ({ field, value }) => field === name && value === of;
}

/** Matches an amount of the class from the provider. */
function isAmount(error: Pick<errors.NoInventory, 'resourceProviderUuid' | 'resourceClassName'>): Cause {
  return ({ field, owner }) =>
    field === 'amount' &&
    has(owner, 'resourceClass', error.resourceClassName) &&
    has(owner?.owner?.owner, 'resourceProvider', error.resourceProviderUuid);
}

function has(place: Place | null | undefined, field: string, value: string): boolean {
  return (place?.value as Record<string, unknown> | undefined)?.[field] === value;
}

function isWithin(place: Place | null, field: string): boolean {
  for (let at = place; at !== null; at = at.owner) if (at.field === field) return true;
  return false;
}
