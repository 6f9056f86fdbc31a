import { Link } from 'wouter';
import { useViewer } from '../../api/viewer';
import { DataTable, type Column } from '../../components/dataTable';
import { Destination, HostLink } from '../../components/destination';
import { formatAmount, formatCount, formatShare } from '../../components/format';
import { HostChangeTable } from '../../components/hostChangeTable';
import { lostTraitsColumn } from '../../components/lostTraits';
import { MoveButton, moveTo } from '../../components/moveButton';
import { EmptyState } from '../../components/states';
import type { PlanRebalanceQuery, RebalanceGoal } from '../../generated/rebalance/operations';

type Plan = NonNullable<PlanRebalanceQuery['planRebalance']>;
type Move = Plan['moves'][number];

interface RebalanceResultProps {
  readonly goal: RebalanceGoal;
  readonly plan: Plan;
  /** Called with the number of moves that were done. */
  readonly onMoved: (count: number) => void;
}

/** The gain of a plan, the hosts before and after, and the moves, which can be carried out. */
export function RebalanceResult({ goal, plan, onMoved }: RebalanceResultProps) {
  const { moves, optimal, outcome } = plan;
  const { may } = useViewer();
  if (moves.length === 0)
    return (
      <section className="panel" role="status">
        {outcome === 'UNDECIDED' ? (
          <EmptyState title="Undecided.">
            <p>The search ended early and found no moves. Plan again, or for a smaller aggregate.</p>
          </EmptyState>
        ) : (
          <EmptyState title="Nothing worth moving.">
            <p>{optimal ? 'No moves improve this.' : 'The search found no moves that improve this.'}</p>
          </EmptyState>
        )}
      </section>
    );
  const label = formatCount(moves.length, 'move');
  return (
    <section className="panel" aria-labelledby="plan">
      <div className="panel-head">
        <h2 id="plan">Plan</h2>
        {may('allocate') && (
          <MoveButton
            steps={moves.map(({ consumer, generation, claimToken }) => [
              moveTo(consumer, generation, claimToken),
            ])}
            moves={moves}
            label={`Carry out ${label}`}
            onMoved={onMoved}
          >
            <p>
              The moves run one after the other, and stop if anything has changed since the plan. Then plan
              again.
            </p>
          </MoveButton>
        )}
      </div>
      <p role="status">
        {label} {gainOf(goal, plan)}. {optimal ? 'The plan is proven best.' : 'A better plan may exist.'}
      </p>
      <Metrics plan={plan} />
      <HostChangeTable moves={moves} />
      <h3>Moves</h3>
      <DataTable
        caption="Moves in their order"
        columns={[...MOVE_COLUMNS, ...lostTraitsColumn(moves)]}
        rows={moves}
        keyOf={({ consumer, generation }) => `${consumer.uuid} ${generation}`}
      />
    </section>
  );
}

function gainOf(goal: RebalanceGoal, { moves, gain, before, after }: Plan): string {
  const verb = (base: string): string => (moves.length === 1 ? `${base}s` : base);
  if (goal === 'FREE_HOSTS') return `${verb('free')} ${formatCount(gain, 'host')}`;
  if (goal === 'FIX') return `${moves.length === 1 ? 'fixes' : 'fix'} ${formatCount(gain, 'fault')}`;
  const [from, to] = [before, after].map(({ maxUtilization }) => formatShare(maxUtilization));
  return `${verb('lower')} the highest utilization from ${from} to ${to}`;
}

function Metrics({ plan: { before, after } }: Pick<RebalanceResultProps, 'plan'>) {
  const rows: [label: string, before: string, after: string][] = [
    ['Used hosts', formatAmount(before.usedHosts), formatAmount(after.usedHosts)],
    ['Highest utilization', formatShare(before.maxUtilization), formatShare(after.maxUtilization)],
    [
      'Inventories over capacity',
      formatAmount(before.overCapacityCount),
      formatAmount(after.overCapacityCount),
    ],
  ];
  const { brokenRelationCount: broken, faultyConsumerCount: faulty } = before;
  if (broken !== null)
    rows.push(['Broken relations', formatAmount(broken), formatAmount(after.brokenRelationCount ?? 0)]);
  if (faulty !== null)
    rows.push(['Faulty consumers', formatAmount(faulty), formatAmount(after.faultyConsumerCount ?? 0)]);
  return (
    <dl className="rebalance-metrics">
      {rows.map(([label, from, to]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{from === to ? from : `${from} → ${to}`}</dd>
        </div>
      ))}
    </dl>
  );
}

const MOVE_COLUMNS: readonly Column<Move>[] = [
  {
    key: 'to',
    title: 'Destination',
    isLong: true,
    cell: ({ to }) => <Destination allocations={to} />,
  },
  {
    key: 'from',
    title: 'From',
    isLong: true,
    cell: ({ from }) => <Hosts parts={from} />,
  },
  {
    key: 'consumer',
    title: 'Consumer',
    cell: ({ consumer: { uuid } }) => (
      <Link href={`/consumers/${uuid}`}>
        <code>{uuid}</code>
      </Link>
    ),
  },
  { key: 'type', title: 'Type', cell: ({ consumer }) => consumer.type?.name ?? 'none' },
];

/** The hosts of allocations, without sharing providers. */
function Hosts({ parts }: { readonly parts: Move['from'] }) {
  const own = parts.filter(({ resourceProvider }) => !resourceProvider.isSharing);
  const names = new Set(
    (own.length > 0 ? own : parts).map(({ resourceProvider }) => resourceProvider.root.name),
  );
  return Array.from(names, (name, at) => (
    <span key={name}>
      {at > 0 && ', '}
      <HostLink name={name} />
    </span>
  ));
}
