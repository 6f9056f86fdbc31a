import { Link } from 'wouter';
import { useAddress } from '../../components/addressState';
import { HostLink } from '../../components/destination';
import { DataTable, type Column } from '../../components/dataTable';
import { formatCount } from '../../components/format';
import type { AuditCheck } from '../../generated/audit/operations';
import { CHECKS } from './checks';
import type { Findings } from './useAudit';

type Finding = Findings['nodes'][number];

interface FindingGroupProps {
  readonly check: AuditCheck;
  readonly findings: Findings;
}

/** The findings of one check. */
export function FindingGroup({ check, findings }: FindingGroupProps) {
  const { title, meaning, repair, isRepaired } = CHECKS[check];
  const { nodes, totalCount, pageInfo } = findings;
  const [, change] = useAddress();
  const id = `findings-${check}`;
  return (
    <section className="panel finding-group" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className="muted">{formatCount(totalCount ?? nodes.length, 'finding')}</span>
      </h2>
      <p className="muted">{meaning}</p>
      <p>
        <b>{isRepaired ? 'Repair: ' : 'Decision: '}</b>
        {repair}
      </p>
      <DataTable
        caption={`${title}: findings`}
        columns={COLUMNS}
        rows={nodes}
        keyOf={({ message }) => message}
      />
      {pageInfo.hasNextPage && (
        <button
          type="button"
          className="small"
          onClick={() => change({ check, after: pageInfo.endCursor }, 'push')}
        >
          Next page
        </button>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Finding>[] = [
  {
    key: 'provider',
    title: 'Provider',
    cell: ({ resourceProvider }) => (resourceProvider ? <HostLink name={resourceProvider.name} /> : '–'),
  },
  {
    key: 'consumer',
    title: 'Consumer',
    cell: ({ consumer, consumerUuid }) =>
      consumer ? (
        <Link href={`/consumers/${consumer.uuid}`}>
          <code>{consumer.uuid}</code>
        </Link>
      ) : (
        <code>{consumerUuid ?? '–'}</code>
      ),
  },
  { key: 'message', title: 'Finding', isLong: true, cell: ({ message }) => message },
];
