import {
  deletionFrom,
  matching,
  read,
  select,
  type Column,
  type DB,
  type Queryable,
  type RowOf,
  type SelectList,
} from '../sql/statements.js';
import { uuidOf } from '../../model/input.js';
import type { KindSet } from '../../model/recordedChanges.js';
import { markChanged, findProviders } from '../ledger/provider/providerRows.js';
import type { Transaction } from '../ledger/transaction.js';

/** The checks in the order of their findings. */
export const AUDIT_CHECKS = [
  'OVER_CAPACITY',
  'UNIT_VIOLATION',
  'DANGLING_ALLOCATION',
  'EMPTY_CONSUMER',
  'BROKEN_TREE',
  'UNKNOWN_REFERENCE',
  'UUID_SPELLING',
  'SEVERAL_TREES',
  'LOST_COUNTER',
  'MISSING_CONSUMPTION',
  'QUOTA_USAGE',
  'LOST_REQUEST',
] as const;

export type AuditCheck = (typeof AUDIT_CHECKS)[number];

/** Identifies and orders the findings of a rule: database ids. The second is 0 if unused. */
export type AuditKey = readonly [number, number];

export const BEFORE_ALL: AuditKey = [-1, -1];

export interface RuleFinding {
  readonly key: AuditKey;
  readonly message: string;
  /** The uuid of the affected provider. Null if there is none or it does not exist. */
  readonly provider: string | null;
  /** The uuid of the affected consumer, which may not exist. */
  readonly consumer: string | null;
  readonly resourceClass: string | null;
}

/** A check consists of one or several rules. */
export interface AuditRule {
  readonly check: AuditCheck;
  /** Returns the first findings after a key, by key, at most `limit`. */
  find(reader: Queryable, after: AuditKey, limit: number): Promise<RuleFinding[]>;
  count(reader: Queryable): Promise<number>;
  /**
   * Repairs the findings with these keys that are still true, and returns their keys. Absent unless
   * the findings have only one possible repair.
   */
  readonly repair?: (tx: Transaction, keys: readonly AuditKey[]) => Promise<AuditKey[]>;
}

export interface WrongRows<List extends SelectList> {
  readonly check: AuditCheck;
  /** The columns of the key, with an alias: the primary key of the row, or its grouping. */
  readonly key: readonly [Column<number>] | readonly [Column<number>, Column<number>];
  /** The finding copies the columns `provider`, `consumer` and `resourceClass` if they exist. */
  readonly columns: List;
  readonly from: string;
  readonly where: string;
  /** Decides if a row is wrong. Absent if the statement selects exactly the wrong rows. */
  readonly isWrong?: (row: RowOf<List>) => boolean;
  readonly message: (row: RowOf<List>) => string;
}

/** The minimum number of rows that a preselecting statement reads, because each statement restarts the scan. */
const PRESELECTED = 1000;

interface Keyed {
  readonly key1: number;
  readonly key2: number;
}

const ZERO = '0' as Column<number>;
const EVERY = { text: 'TRUE', values: [] as readonly unknown[] };

/** A rule whose findings are the rows of a statement. */
export class RowRule<List extends SelectList> implements AuditRule {
  readonly check: AuditCheck;

  constructor(protected readonly wrong: WrongRows<List>) {
    this.check = wrong.check;
  }

  async find(reader: Queryable, after: AuditKey, limit: number): Promise<RuleFinding[]> {
    const { isWrong = () => true } = this.wrong;
    const found: RuleFinding[] = [];
    for (let last = after; ;) {
      const wanted = this.wrong.isWrong ? Math.max(limit, PRESELECTED) : limit;
      const rows = await this.read(reader, this.after(last), `LIMIT ${wanted}`);
      found.push(...rows.filter(isWrong).map((row) => this.finding(row)));
      if (found.length >= limit || rows.length < wanted) return found.slice(0, limit);
      last = keyOf(rows[rows.length - 1]);
    }
  }

  private finding(row: RowOf<List> & Keyed): RuleFinding {
    const { provider = null, consumer = null, resourceClass = null } = row as Partial<RuleFinding>;
    const message = this.wrong.message(row);
    return { key: keyOf(row), message, provider, consumer: consumer && uuidOf(consumer), resourceClass };
  }

  async count(reader: Queryable): Promise<number> {
    const { from, where, isWrong } = this.wrong;
    if (isWrong) return (await this.read(reader)).filter(isWrong).length;
    const count = { findings: 'COUNT(*)' as Column<number> };
    const [{ findings }] = await read(reader, select(count, `FROM ${from} WHERE ${where}`), []);
    return findings;
  }

  /** Reads the rows with these keys that are still wrong. */
  protected among(reader: Queryable, keys: readonly AuditKey[]): Promise<(RowOf<List> & Keyed)[]> {
    return this.read(reader, withKeys(this.wrong.key, keys));
  }

  private read(reader: Queryable, condition = EVERY, limit = ''): Promise<(RowOf<List> & Keyed)[]> {
    const { key, columns, from, where } = this.wrong;
    const keys = { key1: key[0], key2: key[1] ?? ZERO };
    const rest = `FROM ${from} WHERE (${where}) AND (${condition.text}) ORDER BY ${key.join(', ')} ${limit}`;
    const { text } = select({ ...keys, ...columns }, rest);
    return read<RowOf<List> & Keyed>(reader, { text }, condition.values);
  }

  private after([key1, key2]: AuditKey): typeof EVERY {
    const [first, second] = this.wrong.key;
    if (second === undefined) return { text: `${first} > ?`, values: [key1] };
    return { text: `${first} >= ? AND (${first} > ? OR ${second} > ?)`, values: [key1, key1, key2] };
  }
}

export function keyOf({ key1, key2 }: Keyed): AuditKey {
  return [key1, key2];
}

function withKeys(columns: readonly Column[], keys: readonly AuditKey[]): typeof EVERY {
  const width = columns.length;
  return matching(
    columns,
    keys.map((key) => key.slice(0, width)),
  );
}

/** A rule of rows with a dangling reference. The repair deletes them. */
export class DanglingRows<List extends SelectList & { providerId: Column<number> }> extends RowRule<List> {
  constructor(
    wrong: WrongRows<List>,
    private readonly table: keyof DB,
    /** The parts of a provider that the deletion changes. */
    private readonly kinds: KindSet,
    /** Writes the other changes of the transaction that deletes these rows. */
    private readonly before: (tx: Transaction, rows: readonly RowOf<List>[]) => void = () => undefined,
  ) {
    super(wrong);
  }

  private readonly providerOf = (row: RowOf<List>): number => row.providerId as number;

  /** Bumps the existing provider of each row (decision D5). */
  readonly repair = async (tx: Transaction, keys: readonly AuditKey[]): Promise<AuditKey[]> => {
    const seen = await this.among(tx, keys);
    const providers = await findProviders(tx, [], [...new Set(seen.map(this.providerOf))]);
    // reads the rows again, because they must not be older than the generations
    const rows = await this.among(tx, keys);
    const concerned = new Set(rows.map(this.providerOf));
    const changed = [...providers.values()].filter(({ id }) => concerned.has(id));
    if (changed.length > 0) markChanged(tx, changed, this.kinds);
    this.before(tx, rows);
    const gone = rows.map(keyOf);
    if (gone.length > 0) {
      const primary = this.wrong.key.map((column) => column.replace(/^\w+\./, ''));
      const { text, values } = withKeys(primary, gone);
      await tx.query(`${deletionFrom(this.table)} WHERE ${text} ORDER BY ${primary.join(', ')}`, values);
    }
    return gone;
  };
}
