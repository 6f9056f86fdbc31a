import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { escaped } from './controlCharacters.js';

const GAP = '  ';

export interface Table {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Whether each column is less important. */
  readonly isWide: readonly boolean[];
}

/** The layout of the rows of a table. */
export interface Layout {
  /** The indexes of the shown columns. */
  readonly columns: readonly number[];
  /** The widths of the shown columns. Null if each row is a paragraph. */
  readonly widths: readonly number[] | null;
}

/**
 * Lays out a table. If it is wider than the terminal, it omits less important columns, the last one
 * first, unless `isWide`. Other cells wrap at spaces; words, such as uuids and names, stay whole.
 * The words of few rows may be too long: they wrap, too. If those of most rows are, each row becomes a paragraph.
 * @param earlier the layout of the rows above, if these rows continue their table
 */
export function layOut(
  table: Table,
  isWide: boolean,
  earlier?: Layout,
): { readonly text: string; readonly layout: Layout } {
  const width = isWide ? Infinity : terminalWidth();
  const columns = earlier?.columns ?? columnsWithin(table, width);
  const shown = <Cell>(cells: readonly Cell[]): Cell[] => columns.map((column) => cells[column]);
  const titles = shown(table.titles);
  const rows = table.rows.map((values) => shown(values).map(cellOf));
  const lines = earlier ? rows : [titles, ...rows];
  const widths = earlier?.widths === null ? null : fitted(lines, width, earlier?.widths);
  if (widths === null) {
    const paragraphs = rows.map((cells) => paragraph(titles, cells, width));
    return { text: [...(earlier ? [''] : []), ...paragraphs].join('\n'), layout: { columns, widths } };
  }
  const isNumber = columns.map((column) => isNumeric(table.rows.map((values) => values[column])));
  const text = lines.flatMap((cells) => wrapped(cells, widths, isNumber)).map((line) => `${line}\n`);
  return { text: text.join(''), layout: { columns, widths } };
}

/** Returns the columns that fit the width, without less important ones if necessary. */
function columnsWithin({ titles, rows, isWide }: Table, width: number): number[] {
  const lines = [titles, ...rows.map((values) => values.map(cellOf))];
  const natural = naturalWidths(lines);
  const columns = titles.map((_title, at) => at);
  while (totalWidth(columns.map((at) => natural[at])) > width) {
    const last = columns.findLastIndex((at) => isWide[at]);
    if (last < 0) break;
    columns.splice(last, 1);
  }
  return columns;
}

/** Returns Infinity for a pipe or a file unless COLUMNS is set. */
function terminalWidth(): number {
  return process.stdout.columns || Number(process.env.COLUMNS) || Infinity;
}

function cellOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return escaped(String((value as string | number | null | undefined) ?? '-'));
}

/** Narrows the widest columns until all fit. Returns null if a column would be below the words of most rows. */
function fitted(
  lines: readonly (readonly string[])[],
  width: number,
  earlier: readonly number[] = [],
): number[] | null {
  const widths = naturalWidths(lines).map((each, at) => Math.max(earlier[at] ?? 0, each));
  const least = leastWidths(lines, width, earlier);
  for (let excess = totalWidth(widths) - width; excess > 0; excess--) {
    const spare = widths.map((each, at) => (each > least[at] ? each : 0));
    const widest = Math.max(...spare);
    if (widest === 0) return null;
    widths[spare.indexOf(widest)]--;
  }
  return widths;
}

const UUID = /^\s*[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the widths of the words in each column, without those of few rows, but uuids, if they do not fit. */
function leastWidths(
  lines: readonly (readonly string[])[],
  width: number,
  earlier: readonly number[],
): number[] {
  const rows = lines.map((cells) => cells.map((cell) => maxWidth(wordsOf(cell))));
  const isContinued = earlier.length > 0;
  const titles = isContinued ? earlier : rows.shift()!;
  const uuids = columnsOf(lines).map((cells) => maxWidth(cells.filter((cell) => UUID.test(cell))));
  let least = titles.map((each, at) => Math.max(each, uuids[at]));
  rows.sort((one, other) => totalWidth(one) - totalWidth(other));
  for (const [count, words] of rows.entries()) {
    const wider = least.map((each, at) => Math.max(each, words[at]));
    if (totalWidth(wider) > width && (isContinued || 2 * count >= rows.length)) break;
    least = wider;
  }
  return least;
}

function columnsOf(lines: readonly (readonly string[])[]): string[][] {
  return lines[0].map((_cell, at) => lines.map((cells) => cells[at]));
}

const naturalWidths = (lines: readonly (readonly string[])[]): number[] => columnsOf(lines).map(maxWidth);

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
}

function maxWidth(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
}

/** Returns the words of a cell. The first one includes the indentation. */
const wordsOf = (cell: string): string[] => cell.match(/^\s*\S+|\S+/g) ?? [''];

/** Returns whether to align a column to the right: all its values are numbers or missing. */
function isNumeric(values: readonly unknown[]): boolean {
  const present = values.filter((value) => value != null);
  return present.length > 0 && present.every((value) => typeof value === 'number');
}

/** Wraps the cells of a row. Returns its lines. */
function wrapped(
  cells: readonly string[],
  widths: readonly number[],
  isNumber: readonly boolean[],
): string[] {
  const parts = cells.map((cell, at) =>
    stringWidth(cell) <= widths[at] ? [cell] : wrapAnsi(cell, widths[at], { hard: true }).split('\n'),
  );
  const height = Math.max(...parts.map(({ length }) => length));
  return Array.from({ length: height }, (_line, line) =>
    parts
      .map((texts, at) => padded(texts[line] ?? '', widths[at], isNumber[at]))
      .join(GAP)
      .trimEnd(),
  );
}

function padded(text: string, width: number, isNumber: boolean): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return isNumber ? space + text : text + space;
}

/** Returns a line for each column, wrapped below its value. */
function paragraph(titles: readonly string[], cells: readonly string[], width: number): string {
  const indent = maxWidth(titles) + GAP.length;
  const lines = cells.flatMap((cell, at) =>
    wrapAnsi(cell.trim(), width - indent)
      .split('\n')
      .map((line, part) => `${(part === 0 ? titles[at] : '').padEnd(indent)}${line}\n`),
  );
  return lines.join('');
}
