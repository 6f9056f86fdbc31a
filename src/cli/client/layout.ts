import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

const GAP = '  ';

export interface Table {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** The less important columns. */
  readonly isWide: readonly boolean[];
}

interface LaidOut {
  readonly text: string;
  readonly widths: readonly number[];
}

/**
 * Lays out a table. If it is wider than the terminal, its less important columns are omitted unless `isWide`. The
 * cells of the others wrap at spaces; words, such as uuids and names, stay whole. If they do not fit, each row becomes
 * a paragraph.
 * @param earlier the widths of the rows above, if these rows continue their table
 */
export function layOut(table: Table, isWide: boolean, earlier?: readonly number[]): LaidOut {
  const width = isWide ? Infinity : terminalWidth();
  const whole = linesOf(table, earlier);
  const hasAll = earlier ? earlier.length === table.titles.length : totalWidth(naturalWidths(whole)) <= width;
  const shown = hasAll ? table : withoutWide(table);
  const lines = hasAll ? whole : linesOf(shown, earlier);
  const continuesParagraphs = earlier?.length === 0;
  const widths = continuesParagraphs ? null : fitted(lines, width, earlier);
  if (widths === null) {
    const paragraphs = lines.slice(earlier ? 0 : 1).map((cells) => paragraph(shown.titles, cells));
    return { text: [...(continuesParagraphs ? [''] : []), ...paragraphs].join('\n'), widths: [] };
  }
  const isNumber = shown.titles.map((_title, at) => isNumeric(shown.rows.map((cells) => cells[at])));
  const text = lines.flatMap((cells) => wrapped(cells, widths, isNumber)).map((line) => `${line}\n`);
  return { text: text.join(''), widths };
}

/** Returns the texts of the rows, below the titles unless other rows are above. */
function linesOf(
  { titles, rows }: Pick<Table, 'titles' | 'rows'>,
  earlier?: readonly number[],
): readonly string[][] {
  const texts = rows.map((values) => values.map(cellOf));
  return earlier ? texts : [[...titles], ...texts];
}

/** A pipe or a file has no width. */
function terminalWidth(): number {
  return process.stdout.columns || Number(process.env.COLUMNS) || Infinity;
}

function withoutWide({ titles, rows, isWide }: Table): Pick<Table, 'titles' | 'rows'> {
  const narrow = <Cell>(cells: readonly Cell[]): Cell[] => cells.filter((_cell, at) => !isWide[at]);
  return { titles: narrow(titles), rows: rows.map(narrow) };
}

function cellOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String((value as string | number | null | undefined) ?? '-');
}

/** Narrows the widest column until all fit. Returns null if a column would be narrower than a word. */
function fitted(
  lines: readonly (readonly string[])[],
  width: number,
  earlier: readonly number[] = [],
): number[] | null {
  const widths = naturalWidths(lines).map((each, at) => Math.max(earlier[at] ?? 0, each));
  const least = columnsOf(lines).map((cells) => maxWidth(cells.flatMap(wordsOf)));
  for (let excess = totalWidth(widths) - width; excess > 0; excess--) {
    const spare = widths.map((each, at) => (each > least[at] ? each : 0));
    const widest = Math.max(...spare);
    if (widest === 0) return null;
    widths[spare.indexOf(widest)]--;
  }
  return widths;
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

/** The words of a cell. The first one includes the indentation. */
const wordsOf = (cell: string): string[] => cell.match(/^\s*\S+|\S+/g) ?? [''];

/** Returns whether values are aligned to the right: all are numbers or missing. */
function isNumeric(values: readonly unknown[]): boolean {
  const present = values.filter((value) => value != null);
  return present.length > 0 && present.every((value) => typeof value === 'number');
}

/** Returns the lines of a row. */
function wrapped(
  cells: readonly string[],
  widths: readonly number[],
  isNumber: readonly boolean[],
): string[] {
  const parts = cells.map((cell, at) =>
    stringWidth(cell) <= widths[at] ? [cell] : wrapAnsi(cell, widths[at]).split('\n'),
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

/** Returns a line for each column. */
function paragraph(titles: readonly string[], cells: readonly string[]): string {
  const width = maxWidth(titles);
  return cells.map((cell, at) => `${titles[at].padEnd(width)}${GAP}${cell.trim()}\n`).join('');
}
