import { useMemo, useState } from 'react';
import { DataTable, type Column, type Sorting } from '../../components/dataTable';
import { HostLink } from '../../components/destination';
import { formatCount, formatShare, formatSize } from '../../components/format';
import { shareOf, type FleetData } from './fleetData';

interface HostListProps {
  readonly data: FleetData;
  readonly resourceClass: string;
  /** The hosts that match the search. Null: all hosts. */
  readonly found: ReadonlySet<number> | null;
  /** The order in the format of the address: a column, with a minus before it if descending. */
  readonly order: string;
  readonly onOrder: (order: string) => void;
  readonly onShow: (host: number) => void;
  /** Whether the user selects hosts. */
  readonly isSelecting: boolean;
  readonly selected: ReadonlySet<number> | null;
  readonly onSelect: (name: string) => void;
}

const PAGE = 50;

/** Shows the hosts of the map as a table, for exact numbers and for screen readers. */
export function HostList(props: HostListProps) {
  const { data, found, order, onOrder } = props;
  const [shown, setShown] = useState(PAGE);
  const sorting: Sorting = { key: order.replace(/^-/, ''), isDescending: order.startsWith('-') };
  const { key, isDescending } = sorting;
  const sorted = useMemo(() => sort(data, found, key, isDescending), [data, found, key, isDescending]);
  return (
    <section className="panel fleet-list" aria-labelledby="hosts">
      <h2 id="hosts">{formatCount(sorted.length, 'host')}</h2>
      <DataTable
        caption="Hosts"
        columns={columnsOf(props)}
        rows={sorted.slice(0, shown)}
        keyOf={(host) => data.names[host]}
        sorting={sorting}
        onSort={(next) => onOrder(`${next.isDescending ? '-' : ''}${next.key}`)}
      />
      {sorted.length > shown && (
        <button type="button" className="more" onClick={() => setShown(shown + 4 * PAGE)}>
          Show more
        </button>
      )}
    </section>
  );
}

function sort(
  data: FleetData,
  found: ReadonlySet<number> | null,
  key: string,
  isDescending: boolean,
): readonly number[] {
  const hosts = found ? Array.from(found) : data.names.map((_name, host) => host);
  if (key === 'name') return isDescending ? hosts.reverse() : hosts;
  const valueOf = VALUES[key] ?? VALUES.share;
  const sign = isDescending ? -1 : 1;
  const values = data.names.map((_name, host) => sign * valueOf(data, host));
  return hosts.sort((one, other) => values[one] - values[other] || one - other);
}

const VALUES: Readonly<Record<string, (data: FleetData, host: number) => number>> = {
  share: (data, host) => shareOf(data, host) ?? -1,
  used: ({ used }, host) => used[host],
  free: ({ available }, host) => available[host],
};

function columnsOf({
  data,
  resourceClass,
  onShow,
  isSelecting,
  selected,
  onSelect,
}: HostListProps): Column<number>[] {
  const { names, used, available, inMaintenance } = data;
  const number = { isNumber: true, isSortable: true } as const;
  const selecting: Column<number> = {
    key: 'select',
    title: 'Selected',
    cell: (host) => (
      <input
        type="checkbox"
        aria-label={`Select ${names[host]}`}
        checked={selected?.has(host) ?? false}
        onChange={() => onSelect(names[host])}
      />
    ),
  };
  return [
    ...(isSelecting ? [selecting] : []),
    {
      key: 'name',
      title: 'Host',
      isSortable: true,
      cell: (host) => (
        <>
          <HostLink name={names[host]} />
          {inMaintenance.has(host) && <span className="muted"> in maintenance</span>}
        </>
      ),
    },
    { key: 'share', title: 'In use', ...number, cell: (host) => formatShare(shareOf(data, host)) },
    { key: 'used', title: 'Used', ...number, cell: (host) => formatSize(resourceClass, used[host]) },
    { key: 'free', title: 'Free', ...number, cell: (host) => formatSize(resourceClass, available[host]) },
    {
      key: 'show',
      title: 'Map',
      cell: (host) => (
        <button type="button" className="small" onClick={() => onShow(host)}>
          Show<span className="visually-hidden"> {names[host]} on the map</span>
        </button>
      ),
    },
  ];
}
