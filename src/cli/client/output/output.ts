import type { Table } from './table.js';

export const FORMATS = ['table', 'json', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];

/** What a command has to tell: the same for programs and for people. */
export interface Output {
  /** As JSON or YAML. */
  readonly data: unknown;
  /** Paragraphs, tables and lines, with a blank line between them. */
  readonly blocks: readonly (Table | string)[];
}

type Cell = string | number | boolean | null | undefined;
type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** A list: a row for each, or a sentence where there is none. */
export function list<Row>(rows: readonly Row[], columns: Columns<Row>, none = 'none'): Output {
  return { data: rows, blocks: [rows.length === 0 ? none : tableOf(rows, columns)] };
}

export function tableOf<Row>(rows: readonly Row[], columns: Columns<Row>): Table {
  const values = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
  return {
    titles: Object.keys(columns).map((title) => title.toUpperCase()),
    rows: values.map((cells) => cells.map(textOf)),
    isNumber: Object.keys(columns).map((_title, at) => values.some((cells) => typeof cells[at] === 'number')),
  };
}

/** One thing: a line for each of its fields. */
export function fields(record: Readonly<Record<string, Cell>>): Table {
  return {
    titles: ['FIELD', 'VALUE'],
    rows: Object.entries(record).map(([name, value]) => [name, textOf(value)]),
    isNumber: [false, false],
  };
}

function textOf(value: Cell): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value ?? '-');
}

/** `4 of 16` or `VCPU=4, MEMORY_MB=512`. */
export function amounts(all: readonly { resourceClass: string; amount: number }[]): string {
  return all.map(({ resourceClass, amount }) => `${resourceClass}=${amount}`).join(', ');
}

/** As people read it: `37.5%`. */
export function percent(share: number | null | undefined): string {
  return share == null ? '-' : `${(share * 100).toFixed(1)}%`;
}
