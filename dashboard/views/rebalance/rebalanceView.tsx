import { useMemo, useState } from 'react';
import { useAnswer } from '../../api/useAnswer';
import { useAddress, type AddressChanges } from '../../components/addressState';
import { CompletionInput } from '../../components/completionInput';
import { formatCount } from '../../components/format';
import { ErrorState, LoadingState, UnknownValue } from '../../components/states';
import { TermList } from '../../components/termList';
import { referenceTo } from '../../components/terms';
import { useCatalog } from '../../components/useCatalog';
import { usePlan } from '../../components/usePlan';
import { UUID } from '../../components/uuid';
import { ViewHead } from '../../components/viewHead';
import {
  PlanRebalanceDocument,
  type RebalanceGoal,
  type RebalanceInput,
} from '../../generated/rebalance/operations';
import { RebalanceResult } from './rebalanceResult';
import './rebalance.css';

const GOALS: Readonly<Record<RebalanceGoal, string>> = {
  FREE_HOSTS: 'Free hosts',
  EVEN_OUT: 'Even out utilization',
  FIX: 'Fix faults',
};

/** The unit of the least gain of each goal. */
const GAINS: Readonly<Record<RebalanceGoal, string>> = {
  FREE_HOSTS: 'hosts',
  EVEN_OUT: 'a share of 0 to 1',
  FIX: 'faults',
};

const STANDARD_GOAL = 'FREE_HOSTS';
const STANDARD_MOVES = '100';

/** The maximum number of moves of a plan on this page. */
const MAX_MOVES = 500;

/** Plans moves that improve the fleet, and carries them out. The address holds the goal, its limits and the plan. */
export default function RebalanceView() {
  const [address] = useAddress();
  const input = useMemo(() => inputOf(address), [address]);
  const { answer, isBusy, unknown, plan, edit, end } = usePlan(
    input && { input },
    useAnswer(PlanRebalanceDocument),
  );
  const [moved, setMoved] = useState<number | null>(null);
  const found = answer?.data?.planRebalance;
  return (
    <div className="view rebalance">
      <ViewHead title="Rebalance" />
      {input === null || unknown !== null ? (
        <UnknownValue
          what={input === null ? 'goal' : 'plan'}
          value={(input === null ? address.get('goal') : unknown) ?? ''}
          href="/rebalance"
        />
      ) : (
        <div className="panel">
          <GoalForm
            goal={input.goal}
            isBusy={isBusy}
            onEdit={edit}
            onPlan={() => {
              setMoved(null);
              plan();
            }}
          />
          <p className="muted">The plan shows the moves and their effect on each host. It changes nothing.</p>
        </div>
      )}
      {isBusy && <LoadingState />}
      {moved !== null && <p role="status">{formatCount(moved, 'move')} done.</p>}
      {!isBusy && answer?.error && <ErrorState error={answer.error} />}
      {!isBusy && found && input && (
        <RebalanceResult
          goal={input.goal}
          plan={found}
          onMoved={(count) => {
            setMoved(count);
            end();
          }}
        />
      )}
    </div>
  );
}

/** Returns the input of the API. Null: the address has an unknown goal. */
function inputOf(address: URLSearchParams): RebalanceInput | null {
  const goal = address.get('goal') ?? STANDARD_GOAL;
  if (!isGoal(goal)) return null;
  const resourceClass = goal === 'EVEN_OUT' ? address.get('class') : null;
  const scope = address.get('scope');
  const keep = keptConsumers(address);
  return {
    goal,
    maxMoves: Number(address.get('moves') ?? STANDARD_MOVES),
    resourceClasses: resourceClass === null ? null : [resourceClass],
    keepTraits: address.has('keepTraits'),
    ...(scope !== null && { scope: referenceTo(scope) }),
    ...(keep.length > 0 && { keep }),
    ...(address.has('gain') && { minGain: Number(address.get('gain')) }),
  };
}

const isGoal = (text: string): text is RebalanceGoal => text in GOALS;

const keptConsumers = (address: URLSearchParams): string[] =>
  (address.get('keep') ?? '').split(',').filter((uuid) => uuid !== '');

interface GoalFormProps {
  readonly goal: RebalanceGoal;
  readonly isBusy: boolean;
  readonly onEdit: (changes: AddressChanges) => void;
  readonly onPlan: () => void;
}

/** Edits the goal and its limits. */
function GoalForm({ goal, isBusy, onEdit, onPlan }: GoalFormProps) {
  const [address] = useAddress();
  const { classes, aggregates } = useCatalog();
  const field = (name: string, standard = '') => ({
    value: address.get(name) ?? standard,
    onChange: (value: string) => onEdit({ [name]: value || null }),
  });
  return (
    <>
      <form
        className="rebalance-form"
        onSubmit={(event) => {
          event.preventDefault();
          onPlan();
        }}
      >
        <label className="field">
          <span>Goal</span>
          <select value={goal} onChange={({ currentTarget }) => onEdit({ goal: currentTarget.value })}>
            {Object.entries(GOALS).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {goal === 'EVEN_OUT' && (
          <CompletionInput label="Class" placeholder="all" options={classes} {...field('class')} />
        )}
        <CompletionInput label="Aggregate" placeholder="all hosts" options={aggregates} {...field('scope')} />
        <CompletionInput
          label="Maximum moves"
          type="number"
          min="1"
          max={MAX_MOVES}
          required
          {...field('moves', STANDARD_MOVES)}
        />
        <CompletionInput
          label={`Least gain (${GAINS[goal]})`}
          type="number"
          min="0"
          step="any"
          placeholder="any"
          {...field('gain')}
        />
        <label>
          <input
            type="checkbox"
            checked={address.has('keepTraits')}
            onChange={({ currentTarget }) => onEdit({ keepTraits: currentTarget.checked ? 'true' : null })}
          />{' '}
          Keep traits
        </label>
        <button type="submit" className="primary" disabled={isBusy}>
          Plan
        </button>
      </form>
      <div className="rebalance-keep">
        <TermList
          label="Consumers that stay"
          placeholder="UUID"
          terms={keptConsumers(address)}
          pattern={UUID}
          hint="The UUID of a consumer that never moves."
          onTerms={(terms) => onEdit({ keep: terms.join(',') || null })}
        />
      </div>
    </>
  );
}
