import { useState } from 'react';
import { useAnswer } from '../../api/useAnswer';
import { useAddress } from '../../components/addressState';
import { CompletionInput } from '../../components/completionInput';
import { formatCount } from '../../components/format';
import { formText } from '../../components/formText';
import { ErrorState, LoadingState } from '../../components/states';
import { useCatalog } from '../../components/useCatalog';
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

/** The maximum number of moves of a plan on this page. */
const MAX_MOVES = 500;

/** Plans moves that improve the fleet, and carries them out. */
export default function RebalanceView() {
  const { answer, isBusy, ask, forget } = useAnswer(PlanRebalanceDocument);
  const [input, setInput] = useState<RebalanceInput | null>(null);
  const [moved, setMoved] = useState<number | null>(null);
  const plan = (next: RebalanceInput): void => {
    setMoved(null);
    setInput(next);
    void ask({ input: next });
  };
  const end = (count: number): void => {
    forget();
    setMoved(count);
  };
  const found = answer?.data?.planRebalance;
  return (
    <div className="view rebalance">
      <ViewHead title="Rebalance" />
      <div className="panel">
        <GoalForm isBusy={isBusy} onPlan={plan} onChange={forget} />
        <p className="muted">The plan shows the moves and their effect on each host. It changes nothing.</p>
      </div>
      {isBusy && <LoadingState />}
      {moved !== null && <p role="status">{formatCount(moved, 'move')} done.</p>}
      {!isBusy && answer?.error && <ErrorState error={answer.error} />}
      {!isBusy && found && input && <RebalanceResult goal={input.goal} plan={found} onMoved={end} />}
    </div>
  );
}

interface GoalFormProps {
  readonly isBusy: boolean;
  readonly onPlan: (input: RebalanceInput) => void;
  readonly onChange: () => void;
}

/** Edits the goal and its limits, which the address stores. */
function GoalForm({ isBusy, onPlan, onChange }: GoalFormProps) {
  const [address, change] = useAddress();
  const { classes } = useCatalog();
  const given = address.get('goal');
  const goal = given !== null && given in GOALS ? (given as RebalanceGoal) : 'FREE_HOSTS';
  const set = (name: string, value: string): void => {
    onChange();
    change({ [name]: value || null });
  };
  return (
    <form
      className="rebalance-form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const resourceClass = formText(form, 'class');
        onPlan({
          goal,
          maxMoves: Number(formText(form, 'moves')),
          resourceClasses: resourceClass === '' ? null : [resourceClass],
          keepTraits: address.has('keepTraits'),
        });
      }}
    >
      <label className="field">
        <span>Goal</span>
        <select value={goal} onChange={({ currentTarget }) => set('goal', currentTarget.value)}>
          {Object.entries(GOALS).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {goal === 'EVEN_OUT' && (
        <CompletionInput
          label="Class"
          name="class"
          placeholder="all"
          value={address.get('class') ?? ''}
          options={classes}
          onChange={(value) => set('class', value)}
        />
      )}
      <CompletionInput
        label="Maximum moves"
        name="moves"
        type="number"
        min="1"
        max={MAX_MOVES}
        required
        value={address.get('moves') ?? '100'}
        onChange={(value) => set('moves', value)}
      />
      <label>
        <input
          type="checkbox"
          checked={address.has('keepTraits')}
          onChange={({ currentTarget }) => set('keepTraits', currentTarget.checked ? 'true' : '')}
        />{' '}
        Keep traits
      </label>
      <button type="submit" className="primary" disabled={isBusy}>
        Plan
      </button>
    </form>
  );
}
