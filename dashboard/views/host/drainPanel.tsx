import { useState } from 'react';
import { useClient, type CombinedError } from 'urql';
import { Link } from 'wouter';
import { useViewer } from '../../api/viewer';
import { sumByClass, amountsIn } from '../../components/amounts';
import { Bar } from '../../components/bar';
import { DataTable, type Column } from '../../components/dataTable';
import { Destination } from '../../components/destination';
import { formatAmount, formatAmounts, formatCount } from '../../components/format';
import { ErrorState, LoadingState } from '../../components/states';
import { DrainOfHostDocument, type DrainOfHostQuery } from '../../generated/host/operations';
import { MoveAllButton, type Move } from './moveAllButton';

type Plan = NonNullable<DrainOfHostQuery['planDrain']>;

interface Planned {
  readonly plan?: Plan;
  readonly error?: CombinedError;
}

const FRESH = { requestPolicy: 'network-only' } as const;

/** Plans where the consumers of a host could go. */
function useDrainPlan(uuid: string) {
  const client = useClient();
  const [planned, setPlanned] = useState<Planned | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const plan = async (): Promise<void> => {
    setIsBusy(true);
    const resourceProvider = { uuid };
    const { data, error } = await client.query(DrainOfHostDocument, { resourceProvider }, FRESH);
    setIsBusy(false);
    setPlanned({ plan: data?.planDrain ?? undefined, error });
  };
  return { planned, isBusy, plan };
}

interface DrainPanelProps {
  readonly uuid: string;
  readonly host: string;
}

/** Where the consumers of a host could go. Nothing is planned or moved without a request. */
export function DrainPanel({ uuid, host }: DrainPanelProps) {
  const { planned, isBusy, plan } = useDrainPlan(uuid);
  const [moved, setMoved] = useState<number | null>(null);
  const ask = (): void => {
    setMoved(null);
    void plan();
  };
  return (
    <section className="panel" aria-labelledby="drain">
      <div className="panel-head">
        <h2 id="drain">Drain</h2>
        <button type="button" className="small" onClick={ask} disabled={isBusy}>
          {planned ? 'Plan again' : 'Plan'}
        </button>
      </div>
      {!planned && !isBusy && (
        <p className="muted">The plan shows the destination of each consumer. It changes nothing.</p>
      )}
      {isBusy && !planned && <LoadingState />}
      {planned?.error && <ErrorState error={planned.error} />}
      {moved !== null && <p role="status">{formatCount(moved, 'consumer')} moved.</p>}
      {moved === null && planned?.plan && <DrainPlan plan={planned.plan} host={host} onMoved={setMoved} />}
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
      {moves.length > 0 && (
        <DataTable
          caption="Moves of a drain"
          columns={MOVE_COLUMNS}
          rows={moves}
          keyOf={({ consumer }) => consumer.uuid}
        />
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
    cell: ({ consumer }) => formatAmounts(amountsIn(sumByClass(consumer.allocations))),
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
