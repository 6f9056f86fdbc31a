import type { Database } from '../../src/store/database/database.js';
import { capacity, unitsAllow } from '../oracle/capacity.js';
import type { InventoryRecord } from '../support/forest.js';
import { auditWrites } from './auditWrites.js';
import { readHistory, type HistoryRow } from './history.js';
import type { Load } from './load.js';
import { namesIn, type Names } from './names.js';

/** The result of the audit of a load. */
export interface Audit {
  /** Descriptions of every rule that a commit, or the final content of the tables, breaks. */
  readonly findings: readonly string[];
  /** Commits, each counted once for every provider that it changed. */
  readonly commits: number;
  /**
   * The commits that left a class over its capacity. Decision D15 allows this if usage does not
   * rise.
   */
  readonly overCapacity: number;
}

/**
 * Replays the history of a finished load and judges every commit. Then it compares the final state,
 * the load's log and the memory of its writers with the tables.
 */
export async function audit(database: Database, { log, writers }: Load): Promise<Audit> {
  const history = await readHistory(database);
  const names = await namesIn(database);
  const findings: string[] = [];
  let [commits, overCapacity] = [0, 0];
  const allocations = new Set<string>();
  for (const [providerId, provider] of names.providers) {
    const replay = new ProviderReplay(provider.uuid, names, findings);
    const rows = history.filter((row) => row.providerId === providerId);
    for (const commit of commitsOf(rows)) {
      commits += 1;
      if (replay.apply(commit)) overCapacity += 1;
    }
    replay.compareGeneration(provider.generation);
    for (const text of replay.allocations(providerId)) allocations.add(text);
  }
  findings.push(
    ...auditWrites(history, log, names),
    ...(await auditTables(database, allocations)),
    ...(await auditMemory(database, writers)),
  );
  return { findings, commits, overCapacity };
}

/** Returns the changes of each commit to a provider, in order. A commit begins with the update of the provider. */
function commitsOf(rows: readonly HistoryRow[]): HistoryRow[][] {
  const commits: HistoryRow[][] = [];
  for (const row of rows) {
    if (row.what === 'provider' || commits.length === 0) commits.push([]);
    commits.at(-1)!.push(row);
  }
  return commits;
}

interface Allocation {
  readonly consumer: string;
  readonly classId: number;
  readonly used: number;
}

/** The state of one provider, commit by commit. */
class ProviderReplay {
  private generation = 0;
  /** Whether the next commit creates the provider. */
  private isNew = true;
  private readonly inventories = new Map<number, InventoryRecord>();
  private readonly rows = new Map<number, Allocation>();

  constructor(
    private readonly uuid: string,
    private readonly names: Names,
    private readonly findings: string[],
  ) {}

  /** Applies one commit and judges its result. Returns true if a class is over its capacity. */
  apply(commit: readonly HistoryRow[]): boolean {
    const [{ what, amount, generation }] = commit;
    if (what === 'provider' && amount !== this.generation)
      this.find(`the generation was ${amount} before a commit and ${this.generation} after the one before`);
    const isCounted = generation !== this.generation || this.isNew;
    [this.generation, this.isNew] = [generation!, false];
    if (new Set(commit.map((row) => `${row.connection} ${row.generation}`)).size > 1)
      this.find('two transactions wrote between two updates of the provider');
    if (
      !isCounted &&
      commit.some((row) => row.what === 'inventory' || (row.what === 'allocation' && row.present === 1))
    )
      this.find('D26: more than a release did not count');
    const before = this.used();
    const added = commit.filter((row) => this.take(row));
    const after = this.used();
    this.judgeRows(added);
    return this.judgeUse(before, after);
  }

  compareGeneration(stored: number): void {
    if (stored !== this.generation)
      this.find(`its generation is ${stored}, but the last recorded change is of ${this.generation}`);
  }

  *allocations(providerId: number): Iterable<string> {
    for (const { consumer, classId, used } of this.rows.values())
      yield [providerId, classId, consumer, used].join(' ');
  }

  /** Applies one change. Returns true if it adds an allocation. */
  private take(row: HistoryRow): boolean {
    if (row.what === 'provider') return false;
    if (row.what === 'inventory') {
      if (row.present === 0) this.inventories.delete(row.classId!);
      else this.inventories.set(row.classId!, inventoryOf(row));
      return false;
    }
    if (row.present === 0) this.rows.delete(row.rowId!);
    else this.rows.set(row.rowId!, { consumer: row.consumer!, classId: row.classId!, used: row.amount! });
    return row.present === 1;
  }

  /**
   * Rules 90, 98, 100: each new amount respects the units of an existing inventory. There is one
   * row per consumer and class.
   */
  private judgeRows(added: readonly HistoryRow[]): void {
    for (const { classId, consumer, amount, rowId } of added) {
      const inventory = this.inventories.get(classId!);
      if (inventory === undefined || !unitsAllow(amount!, inventory)) {
        this.find(
          `${consumer} was given ${amount} of ${this.className(classId!)} against ${JSON.stringify(inventory)}`,
        );
      }
      for (const [id, other] of this.rows) {
        if (id !== rowId && other.consumer === consumer && other.classId === classId) {
          this.find(`${consumer} has ${this.className(classId)} twice`);
        }
      }
    }
  }

  /** Decision D15 and rule 32: no class is used without an inventory. */
  private judgeUse(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): boolean {
    let isOver = false;
    for (const [classId, used] of after) {
      const inventory = this.inventories.get(classId);
      if (inventory === undefined)
        this.find(`${used} of ${this.className(classId)} is used, of which there is no inventory`);
      const room = inventory === undefined ? 0 : capacity(inventory);
      if (used <= room) continue;
      isOver = true;
      const was = before.get(classId) ?? 0;
      if (used > was)
        this.find(`D15: ${used} of ${this.className(classId)} is used of ${room}, and before it was ${was}`);
    }
    return isOver;
  }

  private used(): Map<number, number> {
    const used = new Map<number, number>();
    for (const row of this.rows.values()) used.set(row.classId, (used.get(row.classId) ?? 0) + row.used);
    return used;
  }

  private className(id: number): string {
    return this.names.classes.get(id) ?? String(id);
  }

  private find(what: string): void {
    this.findings.push(`provider ${this.uuid}, generation ${this.generation}: ${what}`);
  }
}

function inventoryOf(row: HistoryRow): InventoryRecord {
  return {
    total: row.amount!,
    reserved: row.reserved!,
    min_unit: row.minUnit!,
    max_unit: row.maxUnit!,
    step_size: row.stepSize!,
    allocation_ratio: row.ratio!,
  };
}

/** Compares the tables with the final state of the replay, and finds orphans of either kind. */
async function auditTables({ pool }: Database, replayed: ReadonlySet<string>): Promise<string[]> {
  const texts = async (sql: string): Promise<string[]> =>
    (await pool.query<{ text: string }[]>(sql)).map(({ text }) => text);
  const stored = await texts(
    `SELECT CONCAT_WS(' ', resource_provider_id, resource_class_id, consumer_id, used) AS text FROM allocations`,
  );
  const all = new Set(stored);
  const consumers = await texts(
    'SELECT uuid AS text FROM consumers WHERE uuid NOT IN (SELECT consumer_id FROM allocations)',
  );
  const orphans = await texts(
    'SELECT id AS text FROM allocations WHERE consumer_id NOT IN (SELECT uuid FROM consumers)',
  );
  return [
    ...[...replayed].filter((text) => !all.has(text)).map((text) => `lost allocation: ${text}`),
    ...[...all]
      .filter((text) => !replayed.has(text))
      .map((text) => `allocation that no commit made: ${text}`),
    ...(stored.length === all.size ? [] : ['an allocation is there twice']),
    ...consumers.map((uuid) => `consumer ${uuid} has no allocations`),
    ...orphans.map((id) => `allocation ${id} has no consumer`),
  ];
}

/** Checks that the consumers of each writer are as its last acknowledged write left them. */
async function auditMemory({ pool }: Database, writers: Load['writers']): Promise<string[]> {
  const rows = await pool.query<{ text: string }[]>(
    `SELECT CONCAT_WS(' ', c.uuid, c.generation, p.uuid, k.name, a.used) AS text
     FROM allocations a JOIN consumers c ON c.uuid = a.consumer_id JOIN resource_classes k ON k.id = a.resource_class_id
     JOIN resource_providers p ON p.id = a.resource_provider_id`,
  );
  const stored = new Set(rows.map(({ text }) => text));
  const remembered = writers.flatMap((writer) => writer.remembered());
  return remembered.filter((text) => !stored.has(text)).map((text) => `acknowledged, but not there: ${text}`);
}
