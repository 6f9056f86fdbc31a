import type { AuditCheck, AuditFinding, AuditKey, AuditRule } from './rule.js';
import { markChanged } from '../generations.js';
import { findProvidersOf } from '../provider/providerRows.js';
import type { Reader } from '../../database/statements.js';
import type { Transaction } from '../transaction.js';

/** Which rows are wrong, in SQL. */
export interface WrongRows<Row> {
  readonly check: AuditCheck;
  /** The columns of the key: the primary key of the row, or what it is grouped by. */
  readonly key: readonly [string] | readonly [string, string];
  /** What {@link finding} looks at. */
  readonly columns: string;
  readonly from: string;
  readonly where: string;
  /** Has the last word where SQL can only sift. */
  readonly isWrong?: (row: Row) => boolean;
  readonly finding: (row: Row) => Omit<AuditFinding, 'key'>;
}

/** Rows read at least by a statement that only sifts, because each starts the scan anew. */
const SIFTED = 1000;

interface Keyed {
  readonly key1: number;
  readonly key2: number;
}

/** A rule of which each finding is a row of a statement. */
export class RowRule<Row> implements AuditRule {
  readonly check: AuditCheck;

  constructor(protected readonly wrong: WrongRows<Row>) {
    this.check = wrong.check;
  }

  async find(reader: Reader, behind: AuditKey, limit: number): Promise<AuditFinding[]> {
    const { isWrong = () => true, finding } = this.wrong;
    const found: AuditFinding[] = [];
    for (let last = behind; ;) {
      const wanted = this.wrong.isWrong ? Math.max(limit, SIFTED) : limit;
      const rows = await this.read(reader, this.behind(last), `LIMIT ${wanted}`);
      found.push(
        ...rows.filter(isWrong).map((row) => ({ key: [row.key1, row.key2] as const, ...finding(row) })),
      );
      if (found.length >= limit || rows.length < wanted) return found.slice(0, limit);
      const { key1, key2 } = rows[rows.length - 1];
      last = [key1, key2];
    }
  }

  async count(reader: Reader): Promise<number> {
    const { from, where, isWrong } = this.wrong;
    if (isWrong) return (await this.read(reader)).filter(isWrong).length;
    const [{ findings }] = await reader.query<{ findings: number }[]>(
      `SELECT COUNT(*) AS findings FROM ${from} WHERE ${where}`,
    );
    return findings;
  }

  /** The wrong rows among those with these keys. */
  protected among(reader: Reader, keys: readonly AuditKey[]): Promise<(Row & Keyed)[]> {
    return this.read(reader, equal(this.wrong.key, keys));
  }

  private read(
    reader: Reader,
    condition = { text: 'TRUE', values: [] as number[] },
    limit = '',
  ): Promise<(Row & Keyed)[]> {
    const { key, columns, from, where } = this.wrong;
    return reader.query<(Row & Keyed)[]>(
      `SELECT ${key[0]} AS key1, ${key[1] ?? 0} AS key2, ${columns} FROM ${from}
        WHERE (${where}) AND (${condition.text}) ORDER BY ${key.join(', ')} ${limit}`,
      condition.values,
    );
  }

  private behind([key1, key2]: AuditKey): { text: string; values: number[] } {
    const [first, second] = this.wrong.key;
    if (second === undefined) return { text: `${first} > ?`, values: [key1] };
    return {
      text: `${first} >= ? AND (${first} > ? OR ${second} > ?)`,
      values: [key1, key1, key2],
    };
  }
}

function equal(columns: readonly string[], keys: readonly AuditKey[]): { text: string; values: number[] } {
  const one = columns.map((column) => `${column} = ?`).join(' AND ');
  return {
    text: keys.map(() => `(${one})`).join(' OR '),
    values: keys.flatMap((key) => key.slice(0, columns.length)),
  };
}

/** A row that stands for something of a provider, which may be missing. */
interface OfProvider {
  readonly providerId: number;
}

/** A rule of rows that point at nothing: they mean nothing any more, so what mends them is to delete them. */
export class DanglingRows<Row extends OfProvider> extends RowRule<Row> {
  constructor(
    wrong: WrongRows<Row>,
    private readonly table: string,
    /** The columns of its primary key. */
    private readonly primary: readonly string[],
    /** What else a transaction has to write that deletes these rows. */
    private readonly before: (tx: Transaction, rows: readonly Row[], now: Date) => void = () => undefined,
  ) {
    super(wrong);
  }

  /** Bumps each provider that a row belongs to, where there is one (decision D5). */
  readonly mend = async (tx: Transaction, keys: readonly AuditKey[], now: Date): Promise<AuditKey[]> => {
    const seen = await this.among(tx, keys);
    const providers = await findProvidersOf(tx, [], [...new Set(seen.map((row) => row.providerId))]);
    // once more, because what is judged must not be older than the generations
    const rows = await this.among(tx, keys);
    const touched = new Set(rows.map((row) => row.providerId));
    const changed = [...providers.values()].filter(({ id }) => touched.has(id));
    if (changed.length > 0) markChanged(tx, changed, now);
    this.before(tx, rows, now);
    const gone = rows.map(({ key1, key2 }): AuditKey => [key1, key2]);
    if (gone.length > 0) {
      const { text, values } = equal(this.primary, gone);
      await tx.query(`DELETE FROM ${this.table} WHERE ${text} ORDER BY ${this.primary.join(', ')}`, values);
    }
    return gone;
  };
}
