import { distance } from 'fastest-levenshtein';
import { InvalidInput, type UnknownName } from '../../domain/invalidInput.js';
import { NotFound } from '../../ledger/errors.js';
import { readResourceClasses, readTraits } from '../../reads/catalog.js';
import { readAggregateNames } from '../../reads/provider/aggregates.js';
import type { Operation } from '../../runtime/operation.js';
import { ownProject } from '../access/rules.js';
import type { Context } from '../context.js';

const MAX_SUGGESTIONS = 3;

/** The longest name that any object can have. */
const MAX_LENGTH = 255;

/** Names that differ only in case and prefix are equal. */
const keyOf = (name: string): string => name.toUpperCase().replace(/^CUSTOM_/, '');

/** Returns the names nearest to an unknown name. Omits names that differ in too many letters. */
export function nearest(unknown: string, names: Iterable<string>): string[] {
  const key = keyOf(unknown.slice(0, MAX_LENGTH + 1));
  if (key.length > MAX_LENGTH) return [];
  const most = Math.floor(key.length * 0.4) + 1;
  const near: { readonly name: string; readonly edits: number }[] = [];
  for (const name of names) {
    const other = keyOf(name);
    if (Math.abs(other.length - key.length) > most) continue;
    const edits = distance(key, other);
    if (edits <= most) near.push({ name, edits });
  }
  near.sort((a, b) => a.edits - b.edits);
  return near.slice(0, MAX_SUGGESTIONS).map(({ name }) => name);
}

/** Returns the end of a message: `; did you mean "A", "B" or "C"?`; empty without names. */
export function didYouMean(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name));
  const last = quoted.pop();
  if (last === undefined) return '';
  return `; did you mean ${quoted.length > 0 ? `${quoted.join(', ')} or ` : ''}${last}?`;
}

const KINDS = { TRAIT: 'trait', RESOURCE_CLASS: 'resource class' } as const;

function unknownIn(error: unknown): UnknownName | null {
  if (error instanceof InvalidInput) return error.unknown;
  if (!(error instanceof NotFound) || !(error.entity in KINDS)) return null;
  return { kind: KINDS[error.entity as keyof typeof KINDS], name: error.key };
}

/**
 * Adds suggestions to the message of a rejection of an unknown trait or resource class. Changes no
 * other error. Readers of a project receive no suggestions, because they may not read the catalog.
 */
export async function suggestNames(error: unknown, { database, viewer }: Context): Promise<void> {
  const unknown = unknownIn(error);
  if (unknown === null || ownProject(viewer) !== null) return;
  const known = unknown.kind === 'trait' ? readTraits(database, {}) : readResourceClasses(database);
  // without the catalog the rejection has no suggestions
  const names = (await known.catch(() => [])).map(({ name }) => name);
  (error as Error).message += didYouMean(nearest(unknown.name, names));
}

export async function suggestAggregates(name: string, { database }: Context): Promise<string> {
  const known = await readAggregateNames(database);
  return didYouMean(
    nearest(
      name,
      known.map((row) => row.name),
    ),
  );
}

/** The operations that have received suggestions for a provider. Each receives them once. */
const served = new WeakSet<Operation>();

/** Suggests names from the snapshot. Returns '' until a snapshot has been loaded. */
export async function suggestProviders(name: string, { snapshots, operation }: Context): Promise<string> {
  if (served.has(operation) || snapshots.fullLoads === 0) return '';
  served.add(operation);
  let near: string[] = [];
  for (const [at, { names }] of (await snapshots.current()).blocks.entries()) {
    if (at % 4 === 3) await operation.pause();
    near = nearest(name, [...near, ...names]);
  }
  return didYouMean(near);
}
