import type { DomainError } from '../domain/errors.js';
import {
  CapacityExceeded,
  ConsumerGenerationConflict,
  DuplicateName,
  DuplicateUuid,
  IllegalReparent,
  InventoryInUse,
  NoInventory,
  NotFound,
  ProviderGenerationConflict,
  ProviderHasChildren,
  ProviderInUse,
  ResourceClassInUse,
  StandardIsImmutable,
  TraitInUse,
  UnitViolation,
} from '../ledger/errors.js';

/** A value within an input, with the object or list that contains it. */
interface Place {
  readonly field: string;
  readonly value: unknown;
  readonly owner: Place | null;
}

/** Returns the path of the first value of an input that caused a rejection; [] if none did. */
export function pathOf(error: DomainError, input: object): string[] {
  const causes = causesOf(error);
  for (const isCause of causes) {
    const found = find({ field: '', value: input, owner: null }, isCause);
    if (found !== null) return pathTo(found);
  }
  return [];
}

/** Searches depth first in input order. Iterates, because the depth of an input is unlimited. */
function find(root: Place, isCause: (place: Place) => boolean): Place | null {
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

/** Returns predicates that match the cause in an input, in order of preference. */
function causesOf(error: DomainError): ((place: Place) => boolean)[] {
  if (error instanceof NotFound) {
    const within = error.entity === 'INVENTORY' ? 'inventories' : '';
    return [({ value, owner }) => value === error.key && isWithin(owner, within)];
  }
  if (error instanceof DuplicateName) return [named('name', error.providerName)];
  if (error instanceof DuplicateUuid) return [named('uuid', error.uuid)];
  if (error instanceof StandardIsImmutable) return [named('name', error.standardName)];
  if (error instanceof TraitInUse) return [named('name', error.traitName)];
  if (error instanceof ResourceClassInUse) return [named('name', error.resourceClassName)];
  if (error instanceof IllegalReparent) return [({ field }) => field === 'parent'];
  if (error instanceof ProviderHasChildren || error instanceof ProviderInUse)
    return [({ value }) => value === error.resourceProviderUuid];
  if (error instanceof ProviderGenerationConflict)
    return ['resourceProvider', 'uuid'].map(
      (key) =>
        ({ field, owner }) =>
          field === 'generation' && has(owner, key, error.resourceProviderUuid),
    );
  if (error instanceof ConsumerGenerationConflict)
    return ['generation', 'consumer'].map(
      (key) =>
        ({ field, value, owner }) =>
          field === key && value !== undefined && has(owner, 'consumer', error.consumerUuid),
    );
  if (error instanceof InventoryInUse)
    return [
      ({ value, owner }) => value === error.resourceClassName && owner?.field === 'remove',
      ({ field, owner }) => field === 'set' && owner?.field === 'inventories',
    ];
  if (error instanceof NoInventory || error instanceof CapacityExceeded) return [isAmount(error)];
  if (error instanceof UnitViolation)
    return [(place) => place.value === error.requested && isAmount(error)(place)];
  return [];
}

function named(name: string, of: string) {
  return ({ field, value }: Place): boolean => field === name && value === of;
}

/** Matches an amount of the class from the provider. */
function isAmount(error: Pick<NoInventory, 'resourceProviderUuid' | 'resourceClassName'>) {
  return ({ field, owner }: Place): boolean =>
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
