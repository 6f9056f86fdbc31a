import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { isUsualUuid, uuidOf } from '../../model/input.js';
import { SingleFlight } from '../../model/operation/waiting.js';
import { read, type Queryable, type Statement, execute, statement, tables, list } from './statements.js';

/** The tables whose uuids OpenStack Placement stores as clients spell them. */
type SpelledTable = 'consumers' | 'placement_aggregates';

const USUAL = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** Returns the condition for a uuid in another spelling than ours, whatever the collation of its column. */
export function isSpelledOtherwise(column: string): string {
  return `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin NOT REGEXP '${USUAL}'`;
}

/** Ids are not committed in order: a refresh also examines this many ids before the last one. */
const OUT_OF_ORDER = 200;

/** Texts of deleted rows are forgotten when this many texts are known beyond twice those of the last whole scan. */
const MAX_DELETED = 1_000;

/**
 * The stored texts of a table that spell a uuid otherwise (decision D24, ADR 30). A look-up by uuid names all of them,
 * so it uses the index. New texts are found by their ids, which are above those of all rows that were examined.
 */
export class Spellings {
  private readonly others = new Map<string, Set<string>>();
  private texts = 0;
  private maxTexts = MAX_DELETED;
  private examined = 0;
  private first: Promise<unknown> | null = null;
  private readonly refreshes = new SingleFlight(() => this.examineNewest());

  constructor(
    private readonly reader: Queryable,
    private readonly table: SpelledTable,
  ) {}

  /** The number of known texts that spell a uuid otherwise. */
  get size(): number {
    return this.texts;
  }

  /** Returns the uuid of a row from its stored text, which further look-ups then name. */
  uuidOf(stored: string): string {
    if (isUsualUuid(stored)) return stored;
    const uuid = uuidOf(stored);
    if (uuid === stored) return uuid;
    const texts = this.others.get(uuid) ?? new Set([uuid]);
    if (!texts.has(stored)) this.texts++;
    this.others.set(uuid, texts.add(stored));
    return uuid;
  }

  /** Returns all texts under which rows of these uuids may be stored. */
  textsOf(uuids: readonly string[]): readonly string[] {
    if (this.size === 0) return uuids;
    return [...new Set(uuids.flatMap((uuid) => [...(this.others.get(uuid) ?? [uuid])]))];
  }

  /** The uuids that some row spells otherwise, with all texts of each. */
  entries(): Iterable<readonly [uuid: string, texts: ReadonlySet<string>]> {
    return this.others;
  }

  /** Returns the condition for rows after an id, its only value, that spell their uuid otherwise. */
  static isNew(alias: string): string {
    return `${alias}.id > ? AND ${isSpelledOtherwise(`${alias}.uuid`)}`;
  }

  /**
   * Reads the rows of these uuids in every spelling, and returns them with their stored text. If a uuid has no row, it
   * examines the newest rows and reads again.
   *
   * @param statement combines a query for the rows with these texts and one for those that are {@link isNew} and have
   * no such text. Its values are the texts, the id, and the texts again.
   */
  async find<Row extends { readonly uuid: string | null }>(
    reader: Queryable,
    statement: Statement<Row>,
    uuids: readonly string[],
  ): Promise<(Row & { readonly uuid: string; readonly text: string })[]> {
    if (uuids.length === 0) return [];
    const since = await this.since();
    const texts = this.textsOf(uuids);
    const wanted = new Set(uuids);
    const rows = (await read(reader, statement, [texts, since, texts]))
      .map((row) => ({ ...row, uuid: this.uuidOf(row.uuid!), text: row.uuid! }))
      .filter(({ uuid }) => wanted.has(uuid));
    const isMissing = new Set(rows.map(({ uuid }) => uuid)).size < wanted.size;
    return isMissing && (await this.refresh()) ? this.find(reader, statement, uuids) : rows;
  }

  /** The id up to which all rows were examined. Examines the whole table before the first look-up. */
  async since(): Promise<number> {
    await (this.first ??= this.refresh().catch((error: unknown) => {
      this.first = null;
      throw error;
    }));
    return this.examined;
  }

  /** Reads the texts of the newest rows. Returns whether any of them was unknown. */
  refresh(): Promise<boolean> {
    return this.refreshes.join();
  }

  private async examineNewest(): Promise<boolean> {
    const { size } = this;
    if (size > this.maxTexts) await this.forgetDeleted();
    else await this.examine(Math.max(0, this.examined - OUT_OF_ORDER));
    return this.size > size;
  }

  /** Reads the texts of all rows after an id, and returns them. */
  private async examine(since: number): Promise<ReadonlySet<string>> {
    const { table } = this;
    const rows = await this.reader.query<[number | null, string | null][]>(
      {
        rowsAsArray: true,
        sql: `SELECT MAX(id), NULL FROM ${table} UNION ALL SELECT t.id, t.uuid FROM ${table} t WHERE ${Spellings.isNew('t')}`,
      },
      [since],
    );
    const texts = new Set<string>();
    for (const [id, text] of rows) {
      if (text === null) this.examineUpTo(id ?? 0);
      else texts.add(text);
    }
    for (const text of texts) this.uuidOf(text);
    return texts;
  }

  /** Examines all rows, and forgets the texts that were known before and that no row has. */
  private async forgetDeleted(): Promise<void> {
    const known = [...this.others].flatMap(([uuid, texts]) => [...texts].filter((text) => text !== uuid));
    const stored = await this.examine(0);
    for (const text of known) {
      const uuid = uuidOf(text);
      const texts = this.others.get(uuid)!;
      if (stored.has(text)) continue;
      texts.delete(text);
      this.texts--;
      if (texts.size === 1) this.others.delete(uuid);
    }
    this.maxTexts = 2 * this.size + MAX_DELETED;
  }

  /** States that all rows up to this id were examined. */
  examineUpTo(id: number): void {
    this.examined = Math.max(this.examined, id);
  }

  /** Examines all rows again: the database was restored. */
  reset(): void {
    this.examined = 0;
    this.first = null;
  }
}

export function spellingsOf(reader: Queryable): Record<'consumers' | 'aggregates', Spellings> {
  return {
    consumers: new Spellings(reader, 'consumers'),
    aggregates: new Spellings(reader, 'placement_aggregates'),
  };
}

/** The standard resource classes, in the order of their ids, and the standard traits. */
export interface Catalog {
  readonly classes: readonly string[];
  readonly traits: readonly string[];
}

/** Returns whether a trait or a resource class is standard, not custom (rules 66 and 74). */
export function isStandard(name: string): boolean {
  return !name.startsWith('CUSTOM_');
}

/** Reads `catalog/resource_classes.txt` and `catalog/traits.txt` under `directory`: one name a line. */
export function readCatalog(directory: URL): Catalog {
  const names = (file: string): string[] =>
    readFileSync(new URL(`catalog/${file}.txt`, directory), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return { classes: names('resource_classes'), traits: names('traits') };
}

/** Returns whether the database has every class of the catalog, with its id, and every trait. */
export async function isLoaded(database: Queryable, { classes, traits }: Catalog): Promise<boolean> {
  const idOf = new Map((await read(database, CLASSES, [])).map(({ id, name }) => [name, id]));
  const known = new Set((await read(database, TRAITS, [])).map(({ name }) => name));
  return classes.every((name, id) => idOf.get(name) === id) && traits.every((name) => known.has(name));
}

/**
 * Adds the missing classes and traits of the catalog. A standard class gets its position in the catalog as its id
 * (rule 74).
 *
 * @throws Error with a one-line message if a class or its id is used differently: the database is not Placement's
 */
export async function loadCatalog(database: Queryable, { classes, traits }: Catalog): Promise<void> {
  const present = await read(database, CLASSES, []);
  const [conflict] = conflictsOf(classes, present);
  if (conflict !== undefined) throw new Error(conflict);
  const names = new Set(present.map(({ name }) => name));
  const newClasses = [...classes.entries()].filter(([, name]) => !names.has(name));
  if (newClasses.length > 0) {
    const rows = newClasses.map(([id, name]) => ({ id, name, created_at: NOW }));
    await execute(
      database,
      tables.insertInto('resource_classes').values(rows).onDuplicateKeyUpdate(UNCHANGED),
    );
  }

  const known = new Set((await read(database, TRAITS, [])).map(({ name }) => name));
  const newTraits = traits.filter((name) => !known.has(name));
  if (newTraits.length > 0) {
    const rows = newTraits.map((name) => ({ name, created_at: NOW }));
    await execute(database, tables.insertInto('traits').values(rows).onDuplicateKeyUpdate(UNCHANGED));
  }
}

/** Returns a line for each class of the catalog that has another id, or whose id has another class. */
export async function findCatalogConflicts(database: Queryable, { classes }: Catalog): Promise<string[]> {
  return conflictsOf(classes, await read(database, CLASSES, []));
}

function conflictsOf(
  classes: readonly string[],
  present: readonly { readonly id: number; readonly name: string }[],
): string[] {
  const nameOf = new Map(present.map(({ id, name }) => [id, name]));
  const idOf = new Map(present.map(({ id, name }) => [name, id]));
  return [...classes.entries()]
    .filter(([id, name]) => (idOf.has(name) ? idOf.get(name) !== id : nameOf.has(id)))
    .map(
      ([id, name]) =>
        `the resource class ${name} should have the id ${id}, which this database uses differently`,
    );
}

const CLASSES = statement(tables.selectFrom('resource_classes').select(['id', 'name']));
const TRAITS = statement(tables.selectFrom('traits').select('name'));
const NOW = sql<string>`UTC_TIMESTAMP()`;
/** Leaves a row unchanged that another process has added concurrently. */
const UNCHANGED = { name: sql<string>`name` };

const NAMED = {
  traits: statement(tables.selectFrom('traits').select(['id', 'name']).where('name', 'in', list<string>())),
  resource_classes: statement(
    tables.selectFrom('resource_classes').select(['id', 'name']).where('name', 'in', list<string>()),
  ),
};

const VALID_NAME = /^[\x21-\x7e]{1,255}$/;

export function isCatalogName(name: string): boolean {
  return VALID_NAME.test(name);
}

/**
 * Returns the ids of the names that the catalog has. Compares the names here, because the collation
 * of the database may ignore case (rule 7, decision D8). Skips names that no entry can have.
 */
export async function idsByName(
  reader: Queryable,
  table: keyof typeof NAMED,
  names: readonly string[],
): Promise<Map<string, number>> {
  const wanted = new Set(names.filter(isCatalogName));
  if (wanted.size === 0) return new Map();
  const rows = await read(reader, NAMED[table], [[...wanted]]);
  return new Map(rows.filter(({ name }) => wanted.has(name)).map(({ id, name }) => [name, id]));
}

export function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`${name} has not been looked up`);
  return id;
}
