export const FORMATS = ['table', 'json', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];

export interface Table {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Which columns are numbers, aligned to the right. */
  readonly isNumber: readonly boolean[];
}

/** The result of a command, for programs and for people. */
export interface Output {
  /** Printed as JSON or YAML. */
  readonly data: unknown;
  /** Paragraphs, tables and lines, with a blank line between them. */
  readonly blocks: readonly (Table | string)[];
}

/** By title: the path of a value in a row, such as `parent.name`, or a function that returns the value. */
export type Columns<Row> = Readonly<Record<string, string | ((row: Row) => unknown)>>;

/** A list: a line for each row, or a sentence if there is none. */
export function list<Row>(rows: readonly Row[], columns: Columns<Row>, none = 'none'): Output {
  return { data: rows, blocks: [rows.length === 0 ? none : tableOf(rows, columns)] };
}

export function tableOf<Row>(rows: readonly Row[], columns: Columns<Row>): Table {
  const values = rows.map((row) => Object.values(columns).map((column) => valueOf(row, column)));
  return {
    titles: Object.keys(columns).map((title) => title.toUpperCase()),
    rows: values.map((cells) => cells.map(textOf)),
    isNumber: Object.keys(columns).map((_title, at) => values.some((cells) => typeof cells[at] === 'number')),
  };
}

function valueOf<Row>(row: Row, column: Columns<Row>[string]): unknown {
  if (typeof column === 'function') return column(row);
  return column
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], row);
}

/** One object: a line for each field. */
export function fields(record: object): Table {
  return {
    titles: ['FIELD', 'VALUE'],
    rows: Object.entries(record).map(([name, value]) => [name, textOf(value)]),
    isNumber: [false, false],
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String((value as string | number | null | undefined) ?? '-');
}

/** `VCPU=4, MEMORY_MB=512` */
export function amounts(all: readonly { resourceClass: string; amount: number }[]): string {
  return all.map(({ resourceClass, amount }) => `${resourceClass}=${amount}`).join(', ');
}
