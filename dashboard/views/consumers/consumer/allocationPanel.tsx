import { useViewer } from '../../../api/viewer';
import { DataTable, type Column } from '../../../components/dataTable';
import { HostLink } from '../../../components/destination';
import { formatAmount } from '../../../components/format';
import type { Consumer } from './consumer';

type Allocation = Consumer['allocations'][number];

/** The allocations of a consumer. */
export function AllocationPanel({ allocations }: Pick<Consumer, 'allocations'>) {
  const { may } = useViewer();
  return (
    <section className="panel" aria-labelledby="allocations">
      <h2 id="allocations">Allocations</h2>
      <DataTable
        caption="Allocations by provider"
        columns={may('hosts') ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'provider')}
        rows={allocations}
        keyOf={(allocation) => String(allocations.indexOf(allocation))}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Allocation>[] = [
  {
    key: 'provider',
    title: 'Provider',
    cell: ({ resourceProvider }) => resourceProvider && <HostLink name={resourceProvider.name} />,
  },
  { key: 'class', title: 'Resource class', cell: ({ resourceClass }) => resourceClass.name },
  { key: 'amount', title: 'Amount', isNumber: true, cell: ({ amount }) => formatAmount(amount) },
];
