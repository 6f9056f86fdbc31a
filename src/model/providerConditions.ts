import { distinctBy, setKeys } from './collections.js';
import { ensure, firstDuplicate, InvalidInput, unknownName } from './invalidInput.js';

// Conditions that requests for candidates and lists of providers have in common.

/** The outer list is AND, the inner OR. */
export type Alternatives = readonly (readonly string[])[];

export interface ResourceAmount {
  readonly resourceClass: string;
  readonly amount: number;
}

/** Unknown traits and resource classes are INVALID_INPUT (decision D12). */
export interface KnownNames {
  hasClass(name: string): boolean;
  hasTrait(name: string): boolean;
}

export type Path = readonly string[];

/** The maximum length of a list. A longer list is INVALID_INPUT. */
export const LONGEST_LIST = 1024;

/** Requires amounts from 1 and known classes, each once (rules 14, 118, 121). */
export function validateResources(resources: readonly ResourceAmount[], path: Path, known: KnownNames): void {
  checkLength(resources, path);
  const repeated = firstDuplicate(resources.map(({ resourceClass }) => resourceClass));
  resources.forEach(({ resourceClass, amount }, position) => {
    const here = [...path, String(position)];
    if (!known.hasClass(resourceClass)) {
      throw unknownName('resource class', resourceClass, [...here, 'resourceClass']);
    }
    const twice = `resource class ${resourceClass} is repeated`;
    ensure(position !== repeated, [...here, 'resourceClass'], twice);
    const message = `amount ${amount} of ${resourceClass} is not at least 1`;
    ensure(Number.isInteger(amount) && amount >= 1, [...here, 'amount'], message);
  });
}

/** Requires known traits and no empty or repeating list (rules 119, 121). */
export function validateTraits(
  traits: { readonly required: Alternatives; readonly forbidden: readonly string[] },
  paths: { readonly required: Path; readonly forbidden: Path },
  known: KnownNames,
): void {
  validateAlternatives(traits.required, paths.required, 'trait');
  forEachOnce(traits.required, (set, outer) => validateKnown(set, [...paths.required, String(outer)], known));
  validateList(traits.forbidden, paths.forbidden, 'trait');
  validateKnown(traits.forbidden, paths.forbidden, known);
}

/**
 * Rejects a required set that is entirely forbidden (rules 120, 125). In a list of providers, such
 * a set matches no provider (decision D16).
 */
export function validateNotForbidden(
  traits: { readonly required: Alternatives; readonly forbidden: readonly string[] },
  path: Path,
): void {
  const forbidden = new Set(traits.forbidden);
  forEachOnce(traits.required, (set, position) => {
    const isForbidden = set.every((name) => forbidden.has(name));
    if (isForbidden)
      throw new InvalidInput([...path, String(position)], `${set.join(', ')} is required and forbidden`);
  });
}

function validateKnown(traits: readonly string[], path: Path, known: KnownNames): void {
  const unknown = traits.findIndex((name) => !known.hasTrait(name));
  if (unknown >= 0) throw unknownName('trait', traits[unknown], [...path, String(unknown)]);
}

/** Rejects empty inner lists and repetitions within one (decision D7). The same set may occur twice. */
export function validateAlternatives(sets: Alternatives, path: Path, what = 'aggregate'): void {
  checkLength(sets, path);
  forEachOnce(sets, (set, position) => {
    const here = [...path, String(position)];
    ensure(set.length > 0, here, `an empty list of alternatives: name at least one ${what}`);
    validateList(set, here, what);
  });
}

/** Returns the first of each group of equal sets. The order of the names in a set does not matter. */
export function distinctSets(sets: Alternatives): Alternatives {
  return distinctBy(sets, setKeys());
}

/** Rejects repetitions and long lists (decision D7). */
export function validateList(names: readonly string[], path: Path, what: string): void {
  checkLength(names, path);
  const repeated = firstDuplicate(names);
  ensure(repeated < 0, [...path, String(repeated)], `${what} ${names[repeated]} is repeated`);
}

/** Visits each set at its first position: references to a variable repeat the same list. */
function forEachOnce(sets: Alternatives, visit: (set: readonly string[], position: number) => void): void {
  const seen = new Set<readonly string[]>();
  sets.forEach((set, position) => {
    if (seen.has(set)) return;
    seen.add(set);
    visit(set, position);
  });
}

export function checkLength(list: readonly unknown[], path: Path): void {
  const message = `${list.length} entries: a list may have at most ${LONGEST_LIST}`;
  ensure(list.length <= LONGEST_LIST, path, message);
}
