import { Option } from 'commander';
import { escaped } from './controlCharacters.js';
import type { ExitCode } from './failure.js';
import { layOut, type Layout, type Table } from './layout.js';
import { yamlOf } from './yamlText.js';

const FORMATS = ['table', 'wide', 'json', 'yaml', 'csv', 'name'] as const;
export type Format = (typeof FORMATS)[number];

export const FORMAT_OPTION = new Option('-o, --output <format>', 'output format')
  .choices(FORMATS)
  .default('table');

/** The default number of rows of a list. */
export const DEFAULT_LIMIT = 100;

export const isForPeople = (format: Format): boolean => format === 'table' || format === 'wide';

/** The result of a command. */
export interface Output {
  /** The value that `json` and `yaml` print. */
  readonly data: unknown;
  /** Paragraphs, tables and lines, with a blank line between them. `csv` prints the first table. */
  readonly blocks: readonly (Table | string)[];
  /** The lines that `name` prints. Defaults to the first column of the first table. */
  readonly names?: readonly string[];
  /** Whether `data` is a list of documents, which `table`, `wide` and `yaml` print as YAML. */
  readonly documents?: true;
  /** The exit code if it is not that of success. */
  readonly exit?: ExitCode;
}

/** The path of a value in a row, such as `parent.name`, or a function that returns the value. */
type Source<Row> = string | ((row: Row) => unknown);

/** Maps the title of a column to its source. A narrow terminal omits `wide` columns. */
export type OutputColumns<Row> = Readonly<Record<string, Source<Row> | { readonly wide: Source<Row> }>>;

export interface OutputPage<Row> {
  readonly rows: readonly Row[];
  /** Whether the list has more rows. */
  readonly hasMore: boolean;
}

/** The result of a command that prints rows while it reads them. */
export interface Listing {
  readonly pages: AsyncIterable<OutputPage<unknown>>;
  readonly columns: OutputColumns<never>;
  /** The text that `table` and `wide` print if there is no row. Defaults to `none`. */
  readonly none?: string;
  /** The exit code if there is a row. Default: that of success. */
  readonly exitOfSome?: ExitCode;
}

/** Shows a table with a line for each row, or a sentence if there is no row. */
export function list<Row extends object>(
  rows: readonly Row[],
  columns?: OutputColumns<Row>,
  none = 'none',
): Output {
  const table = tableOf(rows, columns);
  return { data: rows, blocks: [rows.length === 0 ? none : table], names: namesIn(table) };
}

/** Shows one object: a line for each field, then more blocks. The first field is the name. */
export function object(data: unknown, record: object, ...blocks: Output['blocks']): Output {
  const table = tableOf(Object.entries(record), { field: '0', value: '1' });
  return { data, blocks: [table, ...blocks], names: [String(Object.values(record)[0])] };
}

/** Returns a share, such as 0.125, as text: 12.5%. */
export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** Makes a table. By default, the fields of the rows are the columns. */
export function tableOf<Row extends object>(
  rows: readonly Row[],
  columns: OutputColumns<Row> = Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, name])),
): Table {
  const all = Object.values(columns);
  const sources = all.map((column) => (typeof column === 'object' ? column.wide : column));
  return {
    titles: Object.keys(columns).map((title) => title.toUpperCase()),
    rows: rows.map((row) => sources.map((source) => valueOf(row, source))),
    isWide: all.map((column) => typeof column === 'object'),
  };
}

function valueOf<Row>(row: Row, source: Source<Row>): unknown {
  if (typeof source === 'function') return source(row);
  return source
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], row);
}

/** Converts amounts of a response to the form of inputs. */
export function amountsOf(all: readonly { resourceClass: { name: string }; amount: number }[]) {
  return all.map(({ resourceClass: { name }, amount }) => ({ resourceClass: name, amount }));
}

/** Formats amounts as `VCPU=4, MEMORY_MB=512`. */
export function amounts(all: readonly { resourceClass: string; amount: number }[]): string {
  return all.map(({ resourceClass, amount }) => `${resourceClass}=${amount}`).join(', ');
}

/** Formats values of classes, such as `VCPU=4, MEMORY_MB=512`. */
export function byClass<Row extends { readonly resourceClass: { readonly name: string } }>(
  rows: readonly Row[],
  valueIn: (row: Row) => number | string,
): string {
  return rows.map((row) => `${row.resourceClass.name}=${valueIn(row)}`).join(', ');
}

export const amountsIn = (all: Parameters<typeof amountsOf>[0]): string =>
  byClass(all, ({ amount }) => amount);

export const capacitiesIn = (
  all: readonly { resourceClass: { name: string }; used: number; capacity: number }[],
): string => byClass(all, ({ used, capacity }) => `${used}/${capacity}`);

const namesIn = ({ rows }: Table): string[] => rows.map(([first]) => String(first));

export async function textOf({ data, blocks, names, documents }: Output, format: Format): Promise<string> {
  if (documents && format !== 'json' && format !== 'name') {
    const texts: string[] = [];
    for (const document of data as readonly unknown[]) texts.push(await yamlOf(document));
    return texts.join('---\n');
  }
  if (format === 'json') return `${jsonOf(data, 2)}\n`;
  if (format === 'yaml') return yamlOf(data);
  const table = blocks.find((block) => typeof block === 'object');
  if (format === 'csv' && table) return csvOf(table);
  if (!isForPeople(format)) return linesOf((names ?? (table ? namesIn(table) : [])).map(exact));
  const texts = blocks.map((block) =>
    typeof block === 'string' ? `${escaped(block, 'lines')}\n` : layOut(block, format === 'wide').text,
  );
  return texts.join('\n');
}

export async function print(result: Output | Listing, format: Format): Promise<void> {
  if ('pages' in result) return printListing(result, format);
  if (result.exit !== undefined) process.exitCode = result.exit;
  process.stdout.write(await textOf(result, format));
}

/** Prints each page as soon as it is read. */
async function printListing(
  { pages, columns, none = 'none', exitOfSome }: Listing,
  format: Format,
): Promise<void> {
  process.stdout.once('error', () => process.exit()); // the reader closed the pipe
  const ends: Partial<Record<Format, readonly [ofNone: string, ofSome: string]>> = {
    json: ['[]\n', '\n]\n'],
    yaml: ['[]\n', ''],
    table: [`${none}\n`, ''],
    wide: [`${none}\n`, ''],
  };
  let count = 0;
  let hasMore = false;
  let layout: Layout | undefined;
  const textOfPage = async (rows: readonly unknown[]): Promise<string> => {
    const table = tableOf(rows as readonly never[], columns);
    if (format === 'name') return linesOf(namesIn(table).map(exact));
    if (format === 'csv') return csvOf(table, count === 0);
    if (rows.length === 0) return '';
    if (format === 'yaml') return yamlOf(rows);
    if (format === 'json') {
      const texts = rows.map((row) => jsonOf(row, 2).replaceAll(/^/gm, '  '));
      return `${count === 0 ? '[' : ','}\n${texts.join(',\n')}`;
    }
    const laidOut = layOut(table, format === 'wide', layout);
    layout = laidOut.layout;
    return laidOut.text;
  };
  for await (const page of pages) {
    process.stdout.write(await textOfPage(page.rows));
    count += page.rows.length;
    hasMore = page.hasMore;
  }
  process.stdout.write(ends[format]?.[count === 0 ? 0 : 1] ?? '');
  if (count > 0 && exitOfSome !== undefined) process.exitCode = exitOfSome;
  if (hasMore && count === DEFAULT_LIMIT)
    say(`only the first ${count} are shown: --limit NUMBER or --limit all shows more`);
}

function csvOf({ titles, rows }: Table, hasTitles = true): string {
  const lines = hasTitles ? [titles, ...rows] : rows;
  return linesOf(lines.map((cells) => cells.map(csvCell).join(',')));
}

function csvCell(value: unknown): string {
  const text = exact(String((value as string | number | boolean | null | undefined) ?? ''));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Returns a text as it is for a file or a pipe, and without control characters for a terminal. */
const exact = (text: string): string => (process.stdout.isTTY ? escaped(text) : text);

/** Returns data as JSON without raw control characters. */
export const jsonOf = (data: unknown, indent?: number): string =>
  escaped(JSON.stringify(data, null, indent), 'lines');

/** Prints a line on standard error. */
export function say(line: string): void {
  console.error(escaped(line));
}
