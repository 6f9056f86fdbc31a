import { distance } from 'fastest-levenshtein';
import { InvalidInput, type UnknownName } from '../../domain/invalidInput.js';
import { NotFound } from '../../ledger/errors.js';
import type { Operation } from '../../runtime/operation.js';
import { readResourceClasses, readTraits } from '../../reads/catalog.js';
import { readAggregateNames } from '../../reads/provider/aggregates.js';
import { ownProject } from '../access/ownProject.js';
import type { Context } from '../context.js';

/** As many names are suggested at the most. */
const MOST_SUGGESTED = 3;

/** Longer ones are no names. */
const LONGEST_NAME = 255;

/** What differs in case and prefix alone is the same name, misspelt. */
function keyOf(name: string): string {
  return name.toUpperCase().replace(/^CUSTOM_/, '');
}

/** The names that are nearest to one that is unknown, as far as they are near at all. */
class Nearest {
  private readonly key: string;
  private readonly farthest: number;
  private readonly found: { readonly name: string; readonly edits: number }[] = [];

  constructor(name: string) {
    this.key = keyOf(name.slice(0, LONGEST_NAME + 1));
    this.farthest = Math.floor(this.key.length * 0.4) + 1;
  }

  consider(name: string): void {
    if (this.key.length > LONGEST_NAME) return;
    const key = keyOf(name);
    if (Math.abs(key.length - this.key.length) > this.farthest) return;
    const edits = distance(this.key, key);
    if (edits > this.farthest || edits >= (this.found[MOST_SUGGESTED - 1]?.edits ?? Infinity)) return;
    this.found.push({ name, edits });
    this.found.sort((a, b) => a.edits - b.edits);
    this.found.length = Math.min(this.found.length, MOST_SUGGESTED);
  }

  /** What is put behind the message. */
  get question(): string {
    const names = this.found.map(({ name }) => JSON.stringify(name));
    const last = names.pop();
    if (last === undefined) return '';
    return `; did you mean ${names.length > 0 ? `${names.join(', ')} or ` : ''}${last}?`;
  }
}

function questionOf(name: string, known: Iterable<string>): string {
  const nearest = new Nearest(name);
  for (const each of known) nearest.consider(each);
  return nearest.question;
}

const KINDS = { TRAIT: 'trait', RESOURCE_CLASS: 'resource class' } as const;

/** What an error says the catalog does not have. */
function unknownIn(error: unknown): UnknownName | null {
  if (error instanceof InvalidInput) return error.unknown;
  if (!(error instanceof NotFound) || !(error.entity in KINDS)) return null;
  return { kind: KINDS[error.entity as keyof typeof KINDS], name: error.key };
}

/**
 * Adds to the message of a rejection of an unknown trait or resource class which ones may have been meant; leaves other errors as they
 * are. Readers of a project may not read the catalog.
 */
export async function suggestNames(error: unknown, { database, viewer }: Context): Promise<void> {
  const unknown = unknownIn(error);
  if (unknown === null || ownProject(viewer) !== null) return;
  const known = unknown.kind === 'trait' ? readTraits(database, {}) : readResourceClasses(database);
  // whatever stands in the way of a suggestion, the rejection stands
  const names = (await known.catch(() => [])).map(({ name }) => name);
  (error as Error).message += questionOf(unknown.name, names);
}

export async function likelyAggregates(name: string, { database }: Context): Promise<string> {
  return questionOf(
    name,
    (await readAggregateNames(database)).map((row) => row.name),
  );
}

/** So many blocks of trees are looked through in a turn. */
const BLOCKS_IN_A_TURN = 4;

/** An operation that names many unknown providers is told of one of them what may have been meant. */
const served = new WeakSet<Operation>();

/** Out of the snapshot, where one has been loaded: it has all names in memory. */
export async function likelyProviders(name: string, { snapshots, operation }: Context): Promise<string> {
  if (served.has(operation) || snapshots.fullLoads === 0) return '';
  served.add(operation);
  const nearest = new Nearest(name);
  const { blocks } = await snapshots.current();
  for (const [at, { names }] of blocks.entries()) {
    if (at % BLOCKS_IN_A_TURN === BLOCKS_IN_A_TURN - 1) await operation.pause();
    for (const each of names) nearest.consider(each);
  }
  return nearest.question;
}
