import { parse as parseYaml } from 'yaml';
import { isJson, type Json } from './kubernetesMapping.js';
import { customName, invalid, shown, wholeNumber, type SourceNode, type SourceText } from './source.js';

/** What the columns of a table with a line for each host mean. Columns that are not listed are ignored. */
export interface ColumnMapping {
  readonly host: string;
  /** The resource class of a column, and how many of the class each 1 of the column is. */
  readonly resources: readonly {
    readonly column: string;
    readonly resourceClass: string;
    readonly times: number;
  }[];
  readonly labels: readonly { readonly column: string; readonly kind: 'trait' | 'aggregate' }[];
}

/** Reads a mapping file of a table: `host`, `resources` and `labels`. */
export function readColumns({ name: file, text }: SourceText): ColumnMapping {
  let top: unknown;
  try {
    top = parseYaml(text);
  } catch (error) {
    throw invalid(file, '', (error as Error).message.split('\n')[0]);
  }
  const fields = 'the fields are host, resources, labels';
  if (!isJson(top)) throw invalid(file, '', fields);
  const unknown = Object.keys(top).find((key) => !['host', 'resources', 'labels'].includes(key));
  if (unknown !== undefined) throw invalid(file, unknown, fields);
  const { host } = top;
  if (typeof host !== 'string') throw invalid(file, 'host', 'it must name the column of the host');
  const resources = entriesOf(top, 'resources', file).map(([column, value]) => {
    const { class: resourceClass, times = 1 } =
      typeof value === 'string' ? { class: value } : isJson(value) ? value : {};
    const isClass = typeof resourceClass === 'string' && /^[A-Z0-9_]{1,255}$/.test(resourceClass);
    if (!isClass || !Number.isInteger(times) || (times as number) < 1)
      throw invalid(file, `resources.${column}`, 'it must be a resource class, or { class, times }');
    return { column, resourceClass, times: times as number };
  });
  const labels = entriesOf(top, 'labels', file).map(([column, kind]) => {
    if (kind === 'trait' || kind === 'aggregate') return { column, kind } as const;
    throw invalid(file, `labels.${column}`, `it is ${shown(kind)}: it must be trait or aggregate`);
  });
  return { host, resources, labels };
}

function entriesOf(top: Json, key: string, file: string): [string, unknown][] {
  const part = top[key] ?? {};
  if (isJson(part)) return Object.entries(part);
  throw invalid(file, key, 'it must be an object');
}

/** Returns the first column of the mapping that the table does not have. */
export function missingColumn(
  { host, resources, labels }: ColumnMapping,
  columns: readonly string[],
): string | undefined {
  const named = [host, ...resources.map(({ column }) => column), ...labels.map(({ column }) => column)];
  return named.find((column) => !columns.includes(column));
}

/** Returns the host of a line. An amount that is blank or 0 is omitted. */
export function mappedHost(
  row: Readonly<Record<string, string>>,
  mapping: ColumnMapping,
  file: string,
  line: number,
): SourceNode {
  const totals = new Map<string, number>();
  for (const { column, resourceClass, times } of mapping.resources) {
    if (row[column] === '') continue;
    const most = Math.floor((2 ** 31 - 1) / times);
    const amount = times * wholeNumber(row[column], file, line, `the column ${column}`, { most });
    if (amount > 0) totals.set(resourceClass, (totals.get(resourceClass) ?? 0) + amount);
  }
  const valuesOf = (
    kind: 'trait' | 'aggregate',
    value: (column: string, text: string) => string,
  ): string[] => [
    ...new Set(
      mapping.labels.flatMap((each) =>
        each.kind === kind && row[each.column] !== '' ? value(each.column, row[each.column]) : [],
      ),
    ),
  ];
  return {
    name: row[mapping.host],
    inventories: Object.fromEntries(Array.from(totals, ([each, total]) => [each, { total }])),
    traits: valuesOf('trait', customName),
    aggregates: valuesOf('aggregate', (_column, text) => text),
  };
}
