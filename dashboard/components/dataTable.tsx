import type { KeyboardEvent, ReactNode } from 'react';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Whether the cells are aligned to the right. */
  readonly isNumber?: boolean;
  /** Whether the text of the cells wraps. */
  readonly isLong?: boolean;
  /** Whether the column header sorts the table. */
  readonly isSortable?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

interface DataTableProps<Row> {
  /** The description for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
}

/** A table that the arrow keys navigate. On a narrow screen each row is a card. */
export function DataTable<Row>({ caption, columns, rows, keyOf, sorting, onSort }: DataTableProps<Row>) {
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label={caption} onKeyDown={goToRow}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ key, title, isNumber, isLong, cell }) => (
                <td
                  key={key}
                  data-title={title}
                  className={isNumber ? 'number' : isLong ? 'long' : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Moves the focus to the same link or button of the row above or below. */
function goToRow(event: KeyboardEvent<HTMLElement>): void {
  const down = { ArrowDown: true, ArrowUp: false }[event.key];
  if (down === undefined) return;
  const targets = ':is(a, button)';
  const row = (event.target as Element).closest('tbody tr');
  const next = row
    ? row[down ? 'nextElementSibling' : 'previousElementSibling']
    : event.currentTarget.querySelector('tbody tr');
  const at = row ? Array.from(row.querySelectorAll(targets)).indexOf(event.target as Element) : 0;
  const found = next?.querySelectorAll<HTMLElement>(targets);
  if (!found?.length) return;
  event.preventDefault();
  found[Math.min(Math.max(at, 0), found.length - 1)].focus();
}

interface HeadCellProps<Row> extends Pick<DataTableProps<Row>, 'sorting' | 'onSort'> {
  readonly column: Column<Row>;
}

function HeadCell<Row>({ column, sorting, onSort }: HeadCellProps<Row>) {
  const { key, title, isNumber, isSortable } = column;
  const className = isNumber ? 'number' : undefined;
  if (!isSortable || !onSort)
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    );
  const isSorted = sorting?.key === key;
  const isDescending = isSorted && sorting.isDescending;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" onClick={() => onSort({ key, isDescending: isSorted && !isDescending })}>
        {title}
        <span className="sort-mark" aria-hidden="true">
          {isSorted ? (isDescending ? '▾' : '▴') : ''}
        </span>
      </button>
    </th>
  );
}
