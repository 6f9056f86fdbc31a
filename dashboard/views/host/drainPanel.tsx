import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Bar } from '../../components/bar';
import { DataTable, type Column } from '../../components/dataTable';
import { formatAmount, formatAmounts, formatCount } from '../../components/format';
import { ErrorState, LoadingState } from '../../components/states';
import { DrainOfHostDocument, type DrainOfHostQuery } from '../../generated/host/operations';

type Plan = NonNullable<DrainOfHostQuery['planDrain']>;
type Move = Plan['moves'][number];

/** Where everything on the host could go; worked out when it is asked for. Nothing is moved. */
export function DrainPanel({ uuid }: { readonly uuid: string }) {
  const [isWanted, setIsWanted] = useState(false);
  const [{ data, error, fetching }, plan] = useQuery({
    query: DrainOfHostDocument,
    variables: { resourceProvider: uuid },
    pause: !isWanted,
    requestPolicy: 'network-only',
  });
  const ask = (): void => (isWanted ? plan({ requestPolicy: 'network-only' }) : setIsWanted(true));
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
      {data?.planDrain && <DrainPlan plan={data.planDrain} />}
    </section>
  );
}

function DrainPlan({ plan: { complete, moves, totalsAfter } }: { readonly plan: Plan }) {
  const staying = moves.filter(({ allocationRequest }) => allocationRequest === null).length;
  return (
    <>
      <p role="status">
        {complete
          ? canAllGo(moves.length)
          : `${formatAmount(staying)} of ${formatCount(moves.length, 'consumer')} cannot go anywhere.`}
      </p>
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
  { key: 'consumer', title: 'Consumer', cell: ({ consumer }) => <code>{consumer.uuid}</code> },
  { key: 'type', title: 'Type', cell: ({ consumer }) => consumer.consumerType ?? 'unknown' },
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
