import { Link } from 'wouter';
import { DataTable, type Column } from '../../../components/dataTable';
import { formatAmount } from '../../../components/format';
import type { Consumer } from './consumer';

type Allocation = Consumer['allocations'][number];

/** What a consumer takes from which provider. */
export function AllocationPanel({ allocations }: Pick<Consumer, 'allocations'>) {
  return (
    <section className="panel" aria-labelledby="allocations">
      <h2 id="allocations">Allocations</h2>
      <DataTable
        caption="What it takes"
        columns={COLUMNS}
        rows={allocations}
        keyOf={({ resourceProvider, resourceClass }) => `${resourceProvider?.uuid} ${resourceClass.name}`}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Allocation>[] = [
  {
    key: 'provider',
    title: 'Provider',
    cell: ({ resourceProvider }) =>
      resourceProvider && (
        <Link href={`/hosts/${encodeURIComponent(resourceProvider.name)}`}>{resourceProvider.name}</Link>
      ),
  },
  { key: 'class', title: 'Resource class', cell: ({ resourceClass }) => resourceClass.name },
  { key: 'amount', title: 'Takes', isNumber: true, cell: ({ amount }) => formatAmount(amount) },
];
