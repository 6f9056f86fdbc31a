import { useMemo } from 'react';
import { useQuery } from 'urql';
import { HostTotalsDocument, type HostTotalsQuery } from '../generated/common/operations';
import { DataTable, type Column } from './dataTable';
import { HostLink } from './destination';
import { formatCount, formatSize } from './format';
import { changesByHost, type HostChange, type Moved } from './hostChanges';
import { ErrorState, LoadingState } from './states';

type Host = NonNullable<HostTotalsQuery['resourceProviders']>['nodes'][number];

interface Row extends HostChange {
  readonly totals: Host['treeTotals'];
}

/** The maximum number of hosts that the table reads. */
const MAX_HOSTS = 1_000;

/** Shows the usage of each changed host before and after all moves. Destinations come first. */
export function HostChangeTable({ moves }: { readonly moves: readonly Moved[] }) {
  const hosts = useMemo(() => changesByHost(moves), [moves]);
  const uuids = hosts.slice(0, MAX_HOSTS).map(({ uuid }) => uuid);
  const [{ data, error }] = useQuery({
    query: HostTotalsDocument,
    variables: { uuids, first: uuids.length },
    requestPolicy: 'network-only',
    pause: uuids.length === 0,
  });
  if (hosts.length === 0) return null;
  if (error) return <ErrorState error={error} />;
  if (!data) return <LoadingState />;
  const found = new Map(data.resourceProviders?.nodes.map((host) => [host.uuid, host.treeTotals]));
  const rows = hosts.flatMap((host): Row[] => {
    const totals = found.get(host.uuid);
    return totals ? [{ ...host, totals }] : [];
  });
  return (
    <>
      <h3>Hosts before and after</h3>
      <DataTable
        caption="Hosts before and after"
        columns={columnsOf(hosts)}
        rows={rows}
        keyOf={({ uuid }) => uuid}
      />
      {hosts.length > rows.length && (
        <p className="muted">{formatCount(hosts.length - rows.length, 'more host')}</p>
      )}
    </>
  );
}

/** Returns a column for the host and one for each class whose usage changes on any host. */
function columnsOf(hosts: readonly HostChange[]): readonly Column<Row>[] {
  const classes = new Set(hosts.flatMap(({ differences }) => Array.from(differences.keys())));
  return [
    {
      key: 'host',
      title: 'Host',
      cell: ({ name }) => (
        <b>
          <HostLink name={name} />
        </b>
      ),
    },
    ...Array.from(classes)
      .sort()
      .map((name) => ({ key: name, title: name, isNumber: true, cell: (row: Row) => usageOf(row, name) })),
  ];
}

/** Returns a text such as "12 → 20 of 64". */
function usageOf({ totals, differences }: Row, name: string): string {
  const total = totals.find(({ resourceClass }) => resourceClass.name === name);
  if (!total) return '–';
  const { used, capacity } = total;
  const difference = differences.get(name);
  const before = formatSize(name, used);
  const after = difference === undefined ? '' : ` → ${formatSize(name, used + difference)}`;
  return `${before}${after} of ${formatSize(name, capacity)}`;
}
