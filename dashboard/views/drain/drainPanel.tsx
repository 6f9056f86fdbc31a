import { useState } from 'react';
import { Link } from 'wouter';
import { useViewer } from '../../api/viewer';
import { useAddress } from '../../components/addressState';
import { askedFor } from '../../components/askedFor';
import { sumByClass, amountsIn } from '../../components/amounts';
import { Bar } from '../../components/bar';
import { DataTable, type Column } from '../../components/dataTable';
import { Destination } from '../../components/destination';
import { formatAmount, formatAmounts, formatCount } from '../../components/format';
import type { Moved } from '../../components/hostChanges';
import { HostChangeTable } from '../../components/hostChangeTable';
import { lostTraitsColumn } from '../../components/lostTraits';
import { ErrorState, LoadingState, UnknownValue } from '../../components/states';
import { usePlan } from '../../components/usePlan';
import type { TreesInput, WhatIfInput } from '../../generated/drain/operations';
import { MoveAllButton, type Move } from './moveAllButton';
import { useDrainPlan, type Plan } from './useDrainPlan';
import './drain.css';

interface DrainPanelProps {
  /** The hosts to empty. Null: none are chosen. */
  readonly from: TreesInput | null;
  /** The hosts of the plan that are not in maintenance. */
  readonly open: readonly string[];
  /** The fleet of the plan. Undefined: the current one, so that the plan can be carried out. */
  readonly whatIf?: WhatIfInput;
}

/** Shows where the consumers of hosts could move. It plans and moves only on request. */
export function DrainPanel({ from, open, whatIf }: DrainPanelProps) {
  const [address] = useAddress();
  const keepTraits = address.has('keepTraits');
  const input = from && { from, keepTraits, ...(whatIf && { whatIf }) };
  const { answer, isBusy, unknown, plan, edit, end } = usePlan(input, useDrainPlan());
  const [moved, setMoved] = useState<number | null>(null);
  if (unknown !== null) return <UnknownValue what="plan" value={unknown} href={location.pathname} />;
  return (
    <section className="panel" aria-labelledby="drain">
      <div className="panel-head">
        <h2 id="drain">Drain</h2>
        <label>
          <input
            type="checkbox"
            checked={keepTraits}
            onChange={({ currentTarget }) => edit({ keepTraits: currentTarget.checked ? 'true' : null })}
          />{' '}
          Keep traits
        </label>
        <button
          type="button"
          className="small"
          disabled={isBusy || from === null}
          onClick={() => {
            setMoved(null);
            plan();
          }}
        >
          {answer ? 'Plan again' : 'Plan'}
        </button>
      </div>
      {!answer && !isBusy && moved === null && (
        <p className="muted">The plan shows the destination of each consumer. It changes nothing.</p>
      )}
      {isBusy && !answer && <LoadingState />}
      {answer?.error && <ErrorState error={answer.error} />}
      {moved !== null && <p role="status">{formatCount(moved, 'consumer')} moved.</p>}
      {answer?.data && (
        <DrainPlan
          plan={answer.data}
          open={open}
          isWhatIf={whatIf !== undefined}
          onMoved={(count) => {
            setMoved(count);
            end();
          }}
        />
      )}
    </section>
  );
}

interface DrainPlanProps {
  readonly plan: Plan;
  readonly open: readonly string[];
  readonly isWhatIf: boolean;
  readonly onMoved: (count: number) => void;
}

function DrainPlan({
  plan: { complete, next, moves, totalsAfter },
  open,
  isWhatIf,
  onMoved,
}: DrainPlanProps) {
  const { may } = useViewer();
  const staying = moves.filter(({ allocationRequest }) => allocationRequest === null).length;
  return (
    <>
      <div className="panel-head">
        <p role="status">
          {complete
            ? `All ${formatCount(moves.length, 'consumer')} fit on other hosts.`
            : `${formatAmount(staying)} of ${formatCount(moves.length, 'consumer')} cannot move.`}
          {next !== null && ' More follow: plan again after these moves.'}
        </p>
        {isWhatIf && <span className="muted">A plan for another fleet cannot be carried out.</span>}
        {may('allocate') && !isWhatIf && <MoveAllButton moves={moves} open={open} onMoved={onMoved} />}
      </div>
      <HostChangeTable moves={moves.flatMap(changeOf)} />
      {moves.length > 0 && (
        <>
          <h3>Moves</h3>
          <DataTable
            caption="Moves of a drain"
            columns={[...MOVE_COLUMNS, ...lostTraitsColumn(moves)]}
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

const REASONS: Record<NonNullable<Move['code']>, string> = {
  SEVERAL_ROWS: 'none: it is stored in several spellings, delete it',
  SEVERAL_TREES: 'none: it has allocations on several hosts',
  KEPT: 'none: it holds the former allocations of a move, delete it after the move',
};

const MOVE_COLUMNS: readonly Column<Move>[] = [
  {
    key: 'to',
    title: 'Destination',
    isLong: true,
    cell: ({ allocationRequest, code }) =>
      allocationRequest ? (
        <Destination allocations={allocationRequest.allocations} />
      ) : (
        <span className="failed">{code === null ? 'none' : REASONS[code]}</span>
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
    key: 'asked',
    title: 'Asked for',
    isLong: true,
    cell: ({ consumer: { request }, requestSource }) =>
      request === null ? (
        <span className="muted">unknown: derived from what it uses</span>
      ) : (
        `${askedFor(request.input)}${requestSource === 'OUTDATED' ? ' (amounts as it uses now)' : ''}`
      ),
  },
  { key: 'workload', title: 'Workload', cell: ({ consumer }) => consumer.workload?.name ?? '' },
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
