import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

export const FORMATS = ['table', 'json', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];

interface Table {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The columns of numbers are aligned to the right. */
  readonly isNumber: readonly boolean[];
}

/** The result of a command, for programs and for people. */
export interface Output {
  /** Printed as JSON or YAML. */
  readonly data: unknown;
  /** Paragraphs, tables and lines, with a blank line between them. */
  readonly blocks: readonly (Table | string)[];
}

/** Maps a title to the path of a value in a row, such as `parent.name`, or to a function that returns the value. */
export type Columns<Row> = Readonly<Record<string, string | ((row: Row) => unknown)>>;

/** Shows a table with a line for each row, or a sentence if there is no row. */
export function list<Row>(rows: readonly Row[], columns: Columns<Row>, none = 'none'): Output {
  return { data: rows, blocks: [rows.length === 0 ? none : tableOf(rows, columns)] };
}

export function tableOf<Row>(rows: readonly Row[], columns: Columns<Row>): Table {
  const values = rows.map((row) => Object.values(columns).map((column) => valueOf(row, column)));
  return {
    titles: Object.keys(columns).map((title) => title.toUpperCase()),
    rows: values.map((cells) => cells.map(cellOf)),
    isNumber: Object.keys(columns).map((_title, at) => values.some((cells) => typeof cells[at] === 'number')),
  };
}

function valueOf<Row>(row: Row, column: Columns<Row>[string]): unknown {
  if (typeof column === 'function') return column(row);
  return column
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], row);
}

/** Shows one object: a line for each field. */
export function fields(record: object): Table {
  return tableOf(Object.entries(record), { field: '0', value: ([, value]) => cellOf(value) });
}

function cellOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String((value as string | number | null | undefined) ?? '-');
}

/** Amounts of a response, in the form of inputs. */
export function amountsOf(all: readonly { resourceClass: { name: string }; amount: number }[]) {
  return all.map(({ resourceClass: { name }, amount }) => ({ resourceClass: name, amount }));
}

/** `VCPU=4, MEMORY_MB=512` */
export function amounts(all: readonly { resourceClass: string; amount: number }[]): string {
  return all.map(({ resourceClass, amount }) => `${resourceClass}=${amount}`).join(', ');
}

export async function textOf({ data, blocks }: Output, format: Format): Promise<string> {
  if (format === 'json') return `${JSON.stringify(data, null, 2)}\n`;
  if (format === 'yaml') return (await import('yaml')).stringify(data, { lineWidth: 0 });
  // a pipe or a file has no width
  const width = process.stdout.columns || Number(process.env.COLUMNS) || Infinity;
  const texts = blocks.map((block) => (typeof block === 'string' ? block : linesOf(block, width).join('\n')));
  return `${texts.join('\n\n')}\n`;
}

const GAP = '  ';
const MIN_WIDTH = 8;

/** Wraps the cells so that the table fits the width. */
function linesOf({ titles, rows, isNumber }: Table, width: number): string[] {
  const lines = [titles, ...rows];
  const natural = titles.map((_title, at) => Math.max(...lines.map((cells) => stringWidth(cells[at]))));
  const widths = fitted(natural, width);
  return lines.flatMap((cells) => {
    const wrapped = cells.map((cell, at) => wrap(cell, widths[at]));
    const height = Math.max(...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_line, at) =>
      wrapped
        .map((parts, column) => padded(parts[at] ?? '', widths[column], isNumber[column]))
        .join(GAP)
        .trimEnd(),
    );
  });
}

/** Takes from the widest column until all fit, or none can be narrower. */
function fitted(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1)) - width;
  for (; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest] <= MIN_WIDTH) break;
    widths[widest]--;
  }
  return widths;
}

function wrap(cell: string, width: number): string[] {
  return stringWidth(cell) <= width ? [cell] : wrapAnsi(cell, width, { hard: true }).split('\n');
}

function padded(text: string, width: number, isNumber: boolean): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return isNumber ? space + text : text + space;
}
