import { saturatingSum, uuidOf } from '../../../model/input.js';
import type {
  ConsumerCondition,
  ConsumerFigures,
  ConsumerKey,
  ConsumerOwner,
  ConsumersOfOwners,
} from '../../../model/listing/consumerFigures.js';
import {
  OrderedPage,
  type Placed,
  type SortBounds,
  type SortKey,
} from '../../../model/listing/orderedPage.js';
import { enlarged, ProviderLists, resized, TextColumn, UuidColumn } from './consumerColumns.js';
import { RowIndex } from './rowIndex.js';

/** A consumer as the table receives it. */
export interface ConsumerRecord {
  readonly id: number;
  /** Empty if another program has left the consumer without its project or user. */
  readonly projectId: string;
  readonly userId: string;
  /** Null: untyped. */
  readonly consumerType: string | null;
  /** In seconds since 1970; null if it was not recorded. */
  readonly updatedAt: number | null;
  /** In ms since 1970. Null: the consumer does not end by itself. */
  readonly expiresAt: number | null;
  /** The stored texts of its uuid: several if another program has stored it in another spelling. */
  readonly texts: readonly string[];
  readonly allocations: readonly {
    readonly providerId: number;
    readonly classId: number;
    readonly used: number;
  }[];
}

/** The numbers of rows for which a table is made. It grows beyond them. */
export interface TableSize {
  readonly consumers: number;
  /** The number of allocations whose providers the table holds. Null: it holds no providers. */
  readonly allocations: number | null;
}

/** Marks a row without a consumer. Ids begin at 1. */
const FREE = 0;

/** Marks in a column of uses that a row has no allocation. */
const NONE = -1;

/** The memory of a consumer without its uses: keys and indices of its id and uuid, texts and time. */
const BYTES_OF_CONSUMER = 4 + 12 + 16 + 12 + 3 * 4 + 8;
const BYTES_OF_USE = 8;
const BYTES_OF_PROVIDER = 8;

/** Columns of uses that no request needs are dropped beyond this number of columns. */
const MAX_COLUMNS = 8;

/**
 * All consumers in typed arrays: 70 bytes for a consumer and 8 for its use of each class that a request needs, outside
 * of the heap. Uses are loaded by class, because one class has a small part of the allocations.
 */
export class ConsumerTable implements ConsumerFigures {
  /** The number of rows, used or free. */
  private end = 0;
  private capacity: number;
  private readonly freeRows: number[] = [];
  private readonly byId: RowIndex;
  private readonly key = new Int32Array(1);
  private readonly uuids: UuidColumn;
  private readonly texts: Readonly<Record<ConsumerOwner, TextColumn<string | null>>>;
  /** In seconds since 1970. NaN: not recorded. */
  private updatedAt: Float64Array;
  /** By row, of the consumers that end by themselves: usually few. */
  private readonly expiries = new Map<number, number>();
  /** By class, the use of each row, by the time of the last request. */
  private readonly uses = new Map<number, Float64Array>();
  private readonly providers: ProviderLists | null;

  /** @param spelled returns the uuid of a stored text in another spelling */
  constructor({ consumers, allocations }: TableSize = { consumers: 0, allocations: 0 }, spelled = uuidOf) {
    const rows = (this.capacity = enlarged(consumers));
    this.byId = new RowIndex(1, rows);
    this.uuids = new UuidColumn(rows, spelled);
    this.texts = {
      projectId: new TextColumn(rows),
      userId: new TextColumn(rows),
      consumerType: new TextColumn(rows),
    };
    this.updatedAt = new Float64Array(rows);
    this.providers = allocations === null ? null : new ProviderLists(rows, enlarged(allocations));
  }

  /** Returns the memory of a table with these numbers of rows and classes, in bytes. */
  static bytesOf({ consumers, allocations }: TableSize, classes: number): number {
    return consumers * (BYTES_OF_CONSUMER + classes * BYTES_OF_USE) + (allocations ?? 0) * BYTES_OF_PROVIDER;
  }

  /** Whether the table holds the providers of allocations, which {@link consumersOn} needs. */
  get hasProviders(): boolean {
    return this.providers !== null;
  }

  get size(): TableSize {
    return { consumers: this.end - this.freeRows.length, allocations: this.providers?.entries ?? null };
  }

  /** The number of classes whose uses the table has. */
  get classes(): number {
    return this.uses.size;
  }

  /** Returns which of these classes the table has no uses of. */
  classesWithout(classIds: Iterable<number>): number[] {
    return [...classIds].filter((classId) => !this.uses.has(classId));
  }

  /** Adds a new consumer without its uses. Returns false if its uuid is that of an earlier row. */
  add(text: string, consumer: Omit<ConsumerRecord, 'texts' | 'allocations' | 'expiresAt'>): boolean {
    const row = this.freeRows.at(-1) ?? this.end;
    if (row === this.capacity) this.grow();
    if (!this.uuids.add(row, text)) return false;
    if (row === this.end) this.end++;
    else this.freeRows.pop();
    this.key[0] = consumer.id;
    this.byId.add(this.key, row);
    this.texts.projectId.set(row, consumer.projectId);
    this.texts.userId.set(row, consumer.userId);
    this.texts.consumerType.set(row, consumer.consumerType);
    this.updatedAt[row] = consumer.updatedAt ?? NaN;
    return true;
  }

  /** Adds a consumer, or replaces those with its id or uuid. */
  set(consumer: ConsumerRecord): void {
    const { id, texts, allocations } = consumer;
    this.remove(id);
    const former = this.uuids.find(texts[0]);
    if (former >= 0) this.remove(this.ids[former]);
    this.add(texts[0], consumer);
    this.setExpiry(id, consumer.expiresAt);
    const row = this.rowOf(id);
    for (const text of texts.slice(1)) this.uuids.add(row, text);
    for (const uses of this.uses.values()) uses[row] = NONE;
    for (const { providerId, classId, used } of allocations) {
      this.providers?.add(row, providerId);
      addUse(this.uses.get(classId), row, used);
    }
  }

  /** Sets when a consumer ends by itself (ms since 1970). Null: it does not. */
  setExpiry(id: number, time: number | null): void {
    const row = this.rowOf(id);
    if (row >= 0 && time !== null) this.expiries.set(row, time);
  }

  remove(id: number): void {
    const row = this.rowOf(id);
    if (row < 0) return;
    this.byId.delete(row);
    this.uuids.delete(row);
    this.providers?.clear(row);
    this.expiries.delete(row);
    this.freeRows.push(row);
  }

  /** Begins to read the uses of classes, and the providers of the table's first load. */
  reading(classIds: readonly number[]): UseReader {
    const columns = new Map(classIds.map((id) => [id, new Float64Array(this.capacity).fill(NONE)]));
    return {
      addProvider: (text, providerId) => {
        const row = this.uuids.find(text);
        if (row >= 0) this.providers?.add(row, providerId);
      },
      addUse: (text, classId, used) => {
        const row = this.uuids.find(text);
        if (row >= 0) addUse(columns.get(classId), row, used);
      },
      end: () => {
        for (const [classId, column] of columns) this.uses.set(classId, column);
      },
    };
  }

  /** States that a request needs these classes. Drops columns that earlier requests needed. */
  keep(classIds: Iterable<number>): void {
    const kept = new Set(classIds);
    for (const classId of kept) {
      const column = this.uses.get(classId)!;
      this.uses.delete(classId);
      this.uses.set(classId, column);
    }
    for (const classId of this.uses.keys())
      if (this.uses.size > MAX_COLUMNS && !kept.has(classId)) this.uses.delete(classId);
  }

  /** The table must have the providers. */
  consumersOn(providerIds: ReadonlySet<number>): number[] {
    const found: number[] = [];
    for (let row = 0; row < this.end; row++)
      if (this.ids[row] !== FREE && this.providers!.hasAny(row, providerIds)) found.push(this.ids[row]);
    return found;
  }

  page(condition: ConsumerCondition, keys: readonly ConsumerKey[], bounds: SortBounds): Placed<number>[] {
    const page = this.newPage(keys, bounds);
    const { ids } = this;
    const matches = this.matching(condition);
    const [{ field, classId, isDescending }] = keys;
    const isLargestFirst = field === 'used' && isDescending && bounds.backwards !== true;
    const uses = isLargestFirst ? this.usesOfClass(classId!) : new Float64Array();
    const rows = this.rowsOf(condition);
    const end = rows?.length ?? this.end;
    let least = NONE;
    let youngest = Infinity;
    for (let at = 0; at < end; at++) {
      const row = rows === null ? at : rows[at];
      // the page rejects most rows by their use and age alone
      if (isLargestFirst && (uses[row] < least || (uses[row] === least && ids[row] > youngest))) continue;
      if (ids[row] === FREE || !page.isWanted(row) || !matches(row)) continue;
      page.add(row);
      const { threshold } = page;
      if (!isLargestFirst || threshold === null) continue;
      least = Number(threshold[0] ?? NONE);
      if (keys.length === 1) youngest = Number(threshold[1]);
    }
    return this.placed(page);
  }

  pages({ owner, names, condition }: ConsumersOfOwners, keys: readonly ConsumerKey[], bounds: SortBounds) {
    const { positions, texts } = this.texts[owner];
    const wanted = new Map(names.map((name) => [name, this.newPage(keys, bounds)]));
    const byPosition = texts.map((text) => (text === null ? undefined : wanted.get(text)));
    const matches = this.matching(condition);
    for (let row = 0; row < this.end; row++) {
      const page = byPosition[positions[row]];
      if (page !== undefined && this.ids[row] !== FREE && page.isWanted(row) && matches(row)) page.add(row);
    }
    return names.map((name) => this.placed(wanted.get(name)!));
  }

  private newPage(keys: readonly ConsumerKey[], bounds: SortBounds): OrderedPage<number> {
    const keyOf = [...keys.map((key) => this.keyOf(key)), (row: number) => this.ids[row]];
    return new OrderedPage({ keyOf, directions: [...keys.map((key) => key.isDescending), false] }, bounds);
  }

  private placed(page: OrderedPage<number>): Placed<number>[] {
    return page.rows.map(({ item, place }) => ({ item: this.ids[item], place }));
  }

  count(condition: ConsumerCondition): number {
    const matches = this.matching(condition);
    const rows = this.rowsOf(condition);
    if (rows !== null) return rows.filter(matches).length;
    let count = 0;
    for (let row = 0; row < this.end; row++) if (this.ids[row] !== FREE && matches(row)) count++;
    return count;
  }

  countsOf(owner: ConsumerOwner): Map<string, number> {
    return this.sums(owner, () => 1);
  }

  usesOf(owner: ConsumerOwner, classId: number): Map<string, number> {
    const uses = this.usesOfClass(classId);
    return this.sums(owner, (row) => Math.max(uses[row], 0));
  }

  private sums(owner: ConsumerOwner, amountOf: (row: number) => number): Map<string, number> {
    const { positions, texts } = this.texts[owner];
    const { ids } = this;
    const sums = new Float64Array(texts.length).fill(NONE);
    for (let row = 0; row < this.end; row++) {
      if (ids[row] === FREE) continue;
      const position = positions[row];
      sums[position] = saturatingSum(Math.max(sums[position], 0), amountOf(row));
    }
    // skips owners whose last consumer is deleted
    return new Map(
      texts.flatMap((text, position): [string, number][] =>
        sums[position] === NONE ? [] : [[text ?? '', sums[position]]],
      ),
    );
  }

  /** By row: the id of the consumer, or {@link FREE}. */
  private get ids(): Int32Array {
    return this.byId.keys;
  }

  private rowOf(id: number): number {
    this.key[0] = id;
    return this.byId.find(this.key);
  }

  /** The rows of the only consumers that can match. Null: all. */
  private rowsOf({ ids }: ConsumerCondition): readonly number[] | null {
    return ids == null ? null : Array.from(ids, (id) => this.rowOf(id)).filter((row) => row >= 0);
  }

  private matching({
    projectId,
    userId,
    consumerType,
    classId,
    ids,
    exceptIds,
  }: ConsumerCondition): (row: number) => boolean {
    const uses = classId == null ? null : this.usesOfClass(classId);
    const wanted = (owner: ConsumerOwner, text: string | null | undefined): number | null =>
      text === undefined ? null : this.texts[owner].find(text);
    const project = wanted('projectId', projectId ?? undefined);
    const user = wanted('userId', userId ?? undefined);
    const type = wanted('consumerType', consumerType);
    const { projectId: projects, userId: users, consumerType: types } = this.texts;
    return (row) =>
      (project === null || projects.positions[row] === project) &&
      (user === null || users.positions[row] === user) &&
      (type === null || types.positions[row] === type) &&
      (uses === null || uses[row] !== NONE) &&
      (ids == null || ids.has(this.ids[row])) &&
      !exceptIds?.has(this.ids[row]);
  }

  private keyOf({ field, classId }: ConsumerKey): (row: number) => SortKey {
    if (field === 'used') {
      const uses = this.usesOfClass(classId!);
      return (row) => (uses[row] === NONE ? null : uses[row]);
    }
    if (field === 'age') return (row) => this.ids[row];
    if (field === 'updatedAt')
      return (row) => (Number.isNaN(this.updatedAt[row]) ? null : this.updatedAt[row]);
    if (field === 'expiresAt') return (row) => this.expiries.get(row) ?? null;
    const { texts, positions } = this.texts[field === 'type' ? 'consumerType' : field];
    return (row) => texts[positions[row]];
  }

  private usesOfClass(classId: number): Float64Array {
    const uses = this.uses.get(classId);
    if (uses === undefined) throw new Error(`the uses of class ${classId} are not loaded`);
    return uses;
  }

  private grow(): void {
    const rows = (this.capacity = enlarged(this.capacity));
    for (const column of [this.byId, this.uuids, ...Object.values(this.texts)]) column.grow(rows);
    this.providers?.grow(rows);
    this.updatedAt = resized(this.updatedAt, rows);
    for (const [classId, column] of this.uses) this.uses.set(classId, resized(column, rows, NONE));
  }
}

/** Adds rows of allocations, whose consumers are given by the stored texts of their uuids. */
export interface UseReader {
  addProvider(text: string, providerId: number): void;
  addUse(text: string, classId: number, used: number): void;
  /** Shows the uses to requests. */
  end(): void;
}

/** Adds to the use of a row. Several allocations of one class add up. */
function addUse(column: Float64Array | undefined, row: number, used: number): void {
  if (column !== undefined) column[row] = Math.max(column[row], 0) + used;
}
