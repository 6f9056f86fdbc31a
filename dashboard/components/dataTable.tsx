import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** Whether its head sorts. */
  readonly isSortable?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

interface DataTableProps<Row> {
  /** What the table is of, for those who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
}

/** Rows in columns. On a narrow screen it scrolls sideways within itself, which keys can do as well. */
export function DataTable<Row>({ caption, columns, rows, keyOf, sorting, onSort }: DataTableProps<Row>) {
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label={caption}>
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
              {columns.map(({ key, isNumber, cell }) => (
                <td key={key} className={isNumber ? 'number' : undefined}>
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
