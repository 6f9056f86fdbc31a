import { useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Bar } from '../../components/bar';
import { DataTable, type Column } from '../../components/dataTable';
import { formatAmount, formatAmounts, formatCount } from '../../components/format';
import { ErrorState, LoadingState } from '../../components/states';
import { DrainOfHostDocument, type DrainOfHostQuery } from '../../generated/host/operations';
import { MoveAllButton, type Move } from './moveAllButton';

type Plan = NonNullable<DrainOfHostQuery['planDrain']>;

interface DrainPanelProps {
  readonly uuid: string;
  readonly host: string;
}

/** Where everything on the host could go; worked out when it is asked for. Nothing is moved before that is asked for as well. */
export function DrainPanel({ uuid, host }: DrainPanelProps) {
  const [isWanted, setIsWanted] = useState(false);
  const [moved, setMoved] = useState<number | null>(null);
  const [{ data, error, fetching }, plan] = useQuery({
    query: DrainOfHostDocument,
    variables: { resourceProvider: { uuid } },
    pause: !isWanted,
    requestPolicy: 'network-only',
  });
  const ask = (): void => {
    setMoved(null);
    if (isWanted) plan({ requestPolicy: 'network-only' });
    else setIsWanted(true);
  };
  return (
    <section className="panel" aria-labelledby="drain">
      <div className="panel-head">
        <h2 id="drain">What a drain would do</h2>
        <button type="button" className="small" onClick={ask} disabled={fetching}>
          {data ? 'Plan again' : 'Plan'}
        </button>
      </div>
      {!isWanted && <p className="muted">A dry run: where each consumer could go by what it has now.</p>}
      {fetching && !data && <LoadingState />}
      {error && <ErrorState error={error} />}
      {moved !== null && <p role="status">{formatCount(moved, 'consumer')} moved.</p>}
      {moved === null && data?.planDrain && (
        <DrainPlan plan={data.planDrain}>
          <MoveAllButton moves={data.planDrain.moves} host={host} onMoved={setMoved} />
        </DrainPlan>
      )}
    </section>
  );
}

interface DrainPlanProps {
  readonly plan: Plan;
  /** What carries it out. */
  readonly children: ReactNode;
}

function DrainPlan({ plan: { complete, moves, totalsAfter }, children }: DrainPlanProps) {
  const staying = moves.filter(({ allocationRequest }) => allocationRequest === null).length;
  return (
    <>
      <div className="panel-head">
        <p role="status">
          {complete
            ? canAllGo(moves.length)
            : `${formatAmount(staying)} of ${formatCount(moves.length, 'consumer')} cannot go anywhere.`}
        </p>
        {children}
      </div>
      {moves.length > 0 && (
        <DataTable
          caption="Moves of a drain"
          columns={MOVE_COLUMNS}
          rows={moves}
          keyOf={({ consumer }) => consumer.uuid}
        />
      )}
      <h3>The rest of the fleet afterwards</h3>
      <div className="drain-totals">
        {totalsAfter.map(({ resourceClass: { name }, used, capacity }) => (
          <Bar key={name} label={name} used={used} capacity={capacity} isShort />
        ))}
      </div>
    </>
  );
}

function canAllGo(consumers: number): string {
  if (consumers === 0) return 'There is nobody to go.';
  return consumers === 1 ? 'The only consumer can go.' : `All ${formatAmount(consumers)} consumers can go.`;
}

const MOVE_COLUMNS: readonly Column<Move>[] = [
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
  {
    key: 'needs',
    title: 'Needs',
    cell: ({ derivedResources }) => formatAmounts(derivedResources ?? []),
  },
  {
    key: 'to',
    title: 'Goes to',
    cell: ({ allocationRequest }) =>
      allocationRequest ? (
        <Hosts
          names={allocationRequest.allocations.map(({ resourceProvider }) => resourceProvider.root.name)}
        />
      ) : (
        <span className="failed">nowhere</span>
      ),
  },
];

function Hosts({ names }: { readonly names: readonly string[] }) {
  return Array.from(new Set(names), (name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <Link href={`/hosts/${encodeURIComponent(name)}`}>{name}</Link>
    </span>
  ));
}
