import { Link } from 'wouter';
import { DataTable, type Column } from '../../components/dataTable';
import { formatAmount } from '../../components/format';
import type { AuditCheck, AuditQuery } from '../../generated/audit/operations';
import { CHECKS } from './checks';

type Finding = NonNullable<AuditQuery['audit']>['nodes'][number];

interface FindingGroupProps {
  readonly check: AuditCheck;
  readonly findings: readonly Finding[];
}

/** The findings of one check. */
export function FindingGroup({ check, findings }: FindingGroupProps) {
  const { title, meaning, repair, isRepaired } = CHECKS[check];
  const id = `findings-${check}`;
  return (
    <section className="panel finding-group" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className="muted">{formatAmount(findings.length)} on this page</span>
      </h2>
      <p className="muted">{meaning}</p>
      <p>
        <b>{isRepaired ? 'The repair: ' : 'To be decided: '}</b>
        {repair}
      </p>
      <DataTable
        caption={`${title}: findings`}
        columns={COLUMNS}
        rows={findings}
        keyOf={({ message }) => message}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Finding>[] = [
  {
    key: 'provider',
    title: 'Provider',
    cell: ({ resourceProvider }) =>
      resourceProvider ? (
        <Link href={`/hosts/${encodeURIComponent(resourceProvider.name)}`}>{resourceProvider.name}</Link>
      ) : (
        '–'
      ),
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
  { key: 'message', title: 'Finding', cell: ({ message }) => message },
];
