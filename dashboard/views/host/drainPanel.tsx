import { useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../../api/useAnswer';
import { useViewer } from '../../api/viewer';
import { sumByClass, amountsIn } from '../../components/amounts';
import { Bar } from '../../components/bar';
import { DataTable, type Column } from '../../components/dataTable';
import { Destination } from '../../components/destination';
import { formatAmount, formatAmounts, formatCount } from '../../components/format';
import type { Moved } from '../../components/hostChanges';
import { HostChangeTable } from '../../components/hostChangeTable';
import { ErrorState, LoadingState } from '../../components/states';
import { DrainOfHostDocument, type DrainOfHostQuery } from '../../generated/host/operations';
import { MoveAllButton, type Move } from './moveAllButton';

type Plan = NonNullable<DrainOfHostQuery['planDrain']>;

interface DrainPanelProps {
  readonly uuid: string;
  readonly host: string;
}

/** Shows where the consumers of a host could move. It plans and moves only on request. */
export function DrainPanel({ uuid, host }: DrainPanelProps) {
  const { answer, isBusy, ask } = useAnswer(DrainOfHostDocument);
  const [moved, setMoved] = useState<number | null>(null);
  const plan = answer?.data?.planDrain;
  const start = (): void => {
    setMoved(null);
    void ask({ resourceProvider: { uuid } });
  };
  return (
    <section className="panel" aria-labelledby="drain">
      <div className="panel-head">
        <h2 id="drain">Drain</h2>
        <button type="button" className="small" onClick={start} disabled={isBusy}>
          {answer ? 'Plan again' : 'Plan'}
        </button>
      </div>
      {!answer && !isBusy && (
        <p className="muted">The plan shows the destination of each consumer. It changes nothing.</p>
      )}
      {isBusy && !answer && <LoadingState />}
      {answer?.error && <ErrorState error={answer.error} />}
      {moved !== null && <p role="status">{formatCount(moved, 'consumer')} moved.</p>}
      {moved === null && plan && <DrainPlan plan={plan} host={host} onMoved={setMoved} />}
    </section>
  );
}

interface DrainPlanProps {
  readonly plan: Plan;
  readonly host: string;
  readonly onMoved: (count: number) => void;
}

function DrainPlan({ plan: { complete, moves, totalsAfter }, host, onMoved }: DrainPlanProps) {
  const { may } = useViewer();
  const staying = moves.filter(({ allocationRequest }) => allocationRequest === null).length;
  return (
    <>
      <div className="panel-head">
        <p role="status">
          {complete
            ? `All ${formatCount(moves.length, 'consumer')} fit on other hosts.`
            : `${formatAmount(staying)} of ${formatCount(moves.length, 'consumer')} fit on no other host.`}
        </p>
        {may('allocate') && <MoveAllButton moves={moves} host={host} onMoved={onMoved} />}
      </div>
      <HostChangeTable moves={moves.flatMap(changeOf)} />
      {moves.length > 0 && (
        <>
          <h3>Moves</h3>
          <DataTable
            caption="Moves of a drain"
            columns={MOVE_COLUMNS}
            rows={moves}
            keyOf={({ consumer }) => consumer.uuid}
          />
        </>
      )}
      <h3>The other hosts after the drain</h3>
      <div className="drain-totals">
        {totalsAfter.map(({ resourceClass: { name }, used, capacity }) => (
          <Bar key={name} resourceClass={name} used={used} capacity={capacity} />
        ))}
      </div>
    </>
  );
}

/** Returns an empty array for a consumer that stays. */
const changeOf = ({ consumer, allocationRequest }: Move): Moved[] =>
  allocationRequest ? [{ from: consumer.providerAllocations ?? [], to: allocationRequest.allocations }] : [];

const MOVE_COLUMNS: readonly Column<Move>[] = [
  {
    key: 'to',
    title: 'Destination',
    isLong: true,
    cell: ({ allocationRequest }) =>
      allocationRequest ? (
        <Destination allocations={allocationRequest.allocations} />
      ) : (
        <span className="failed">none</span>
      ),
  },
  {
    key: 'needs',
    title: 'Needs',
    isLong: true,
    cell: ({ consumer }) =>
      formatAmounts(
        amountsIn(sumByClass((consumer.providerAllocations ?? []).flatMap(({ resources }) => resources))),
      ),
  },
  {
    key: 'consumer',
    title: 'Consumer',
    cell: ({ consumer: { uuid } }) => (
      <Link href={`/consumers/${uuid}?to=other`}>
        <code>{uuid}</code>
      </Link>
    ),
  },
  { key: 'type', title: 'Type', cell: ({ consumer }) => consumer.type?.name ?? 'none' },
];
