import type { Connection } from 'mariadb';
import type { CopiedTable } from './copiedTables.js';

/** What a table is compared by, as text: the number of rows, sums, and a checksum of all values. */
export type Figures = ReadonlyMap<string, string>;

/** Columns whose sums are told. */
const SUMMED: Readonly<Record<string, string>> = {
  resource_providers: 'generation',
  consumers: 'generation',
};

const USED = `
  SELECT COALESCE(CONVERT(c.name USING utf8mb4), CONCAT('class ', a.resource_class_id)) AS name,
         CAST(SUM(a.used) AS CHAR) AS used
    FROM allocations a LEFT JOIN resource_classes c ON c.id = a.resource_class_id
   GROUP BY a.resource_class_id, c.name ORDER BY a.resource_class_id`;

export async function readFigures(connection: Connection, table: CopiedTable): Promise<Figures> {
  const { name, values } = table;
  const sum = SUMMED[name];
  const row = values.map((value) => `QUOTE(CONVERT(${value} USING utf8mb4))`).join(', ');
  const [[rows, checksum, total]] = await connection.query<string[][]>({
    rowsAsArray: true,
    sql: `SELECT CAST(COUNT(*) AS CHAR), CAST(BIT_XOR(CRC32(CONCAT_WS(',', ${row}))) AS CHAR),
                 CAST(${sum === undefined ? 0 : `COALESCE(SUM(${sum}), 0)`} AS CHAR) FROM ${name}`,
  });
  const used = name === 'allocations' ? await connection.query<{ name: string; used: string }[]>(USED) : [];
  return new Map([
    ['rows', rows],
    ...(sum === undefined ? [] : [[`sum of ${sum}`, total] as const]),
    ...used.map((each) => [`${each.name} used`, each.used] as const),
    ['checksum', checksum],
  ]);
}

export function areEqual(some: Figures, others: Figures): boolean {
  return some.size === others.size && [...some].every(([label, figure]) => others.get(label) === figure);
}

/** One line; figures that differ are told as they are in the source and in the copy. */
export function lineOf({ name }: CopiedTable, source: Figures, copy: Figures = source): string {
  const labels = new Set([...source.keys(), ...copy.keys()]);
  const figures = Array.from(labels, (label) => {
    const [here, there] = [source, copy].map((each) => each.get(label) ?? 'none');
    return `${label} ${here === there ? here : `${here}, in the copy ${there}`}`;
  });
  return `${name}: ${figures.join('; ')}`;
}
