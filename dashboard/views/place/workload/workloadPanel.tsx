import { Link } from 'wouter';
import { useAddress, type AddressChanges } from '../../../components/addressState';
import { Chip } from '../../../components/chip';
import { CompletionInput } from '../../../components/completionInput';
import { formText } from '../../../components/formText';
import { ErrorState, LoadingState, UnknownValue } from '../../../components/states';
import { useCatalog } from '../../../components/useCatalog';
import { usePlan } from '../../../components/usePlan';
import type { TopologyRule } from '../../../generated/place/operations';
import { usePlannedWorkload, type Workload } from './usePlannedWorkload';
import { WorkloadResult } from './workloadResult';
import { readOptions, RULES, type Member, type PlanOptions, type Rule } from './workload';

interface WorkloadPanelProps {
  readonly members: readonly Member[];
  readonly rules: readonly Rule[];
  /** The edited request in the format of the query string. */
  readonly request: string;
  readonly onWorkload: (members: readonly Member[], rules: readonly Rule[]) => void;
}

/** Edits a workload of several members, plans it and claims the plan. */
export function WorkloadPanel({ members, rules, request, onWorkload }: WorkloadPanelProps) {
  const catalog = useCatalog();
  const [address] = useAddress();
  const options = readOptions(address);
  // such a rule would silently cover only some of the aggregates
  const isRefused =
    catalog.hasMoreAggregates && rules.some(({ level }) => level === 'zone' || level === 'rack');
  const isReady = members.length > 0 && catalog.classes.length > 0 && !isRefused;
  const workload: Workload = { members, rules, options };
  const planned = usePlannedWorkload(catalog);
  const { answer, isBusy, unknown, plan, edit } = usePlan(isReady ? workload : null, planned);
  if (unknown !== null) return <UnknownValue what="plan" value={unknown} href="/place" />;
  return (
    <details className="panel workload" open={members.length > 0}>
      <summary>Workload of several members</summary>
      <MemberAdder
        onMember={(name, count) =>
          onWorkload([...members.filter((one) => one.name !== name), { name, count, request }], rules)
        }
      />
      {members.length > 0 && (
        <>
          <ul className="members">
            {members.map((member) => (
              <li key={member.name}>
                <b>{member.name}</b> × {member.count}:{' '}
                <Link href={`/place?${member.request}`}>
                  {new URLSearchParams(member.request).get('resources')}
                </Link>{' '}
                <button
                  type="button"
                  className="small"
                  onClick={() =>
                    onWorkload(
                      members.filter((one) => one !== member),
                      rules,
                    )
                  }
                >
                  Remove {member.name}
                </button>
              </li>
            ))}
          </ul>
          <RuleAdder rules={rules} onRules={(next) => onWorkload(members, next)} traits={catalog.traits} />
          {isRefused && (
            <p className="failed" role="alert">
              The page supports rules on zones and racks up to 1,000 aggregates. Use the API instead.
            </p>
          )}
          <OptionsForm options={options} onChange={edit} />
          <button type="button" className="primary" disabled={isBusy || !isReady} onClick={plan}>
            Plan
          </button>
        </>
      )}
      {isBusy && <LoadingState />}
      {answer?.error && <ErrorState error={answer.error} />}
      {answer?.data && <WorkloadResult {...answer.data} isGrown={options.grow !== null} onPlan={plan} />}
    </details>
  );
}

function MemberAdder({ onMember }: { readonly onMember: (name: string, count: number) => void }) {
  return (
    <form
      className="workload-form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        onMember(formText(form, 'name'), Number(formText(form, 'count')));
      }}
    >
      <CompletionInput name="name" label="Member" placeholder="db" required pattern="[A-Za-z0-9_\-]{1,64}" />
      <CompletionInput
        name="count"
        label="Consumers"
        standard="1"
        type="number"
        min="1"
        max="1000"
        required
      />
      <button type="submit">Add the request as a member</button>
    </form>
  );
}

interface OptionsFormProps {
  readonly options: PlanOptions;
  readonly onChange: (changes: AddressChanges) => void;
}

/** Edits which workload grows, whether its consumers stay, and which other consumers may move. */
function OptionsForm({ options: { grow, stay, room }, onChange }: OptionsFormProps) {
  const key = JSON.stringify([grow, room]);
  return (
    <form
      key={key}
      className="workload-form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const names = ['growProject', 'growWorkload', 'room', 'roomType'];
        onChange(Object.fromEntries(names.map((name) => [name, formText(form, name) || null])));
      }}
    >
      <CompletionInput name="growProject" label="Project to grow in" standard={grow?.projectId} />
      <CompletionInput name="growWorkload" label="Workload to grow" standard={grow?.name} />
      <label className="check">
        <input
          type="checkbox"
          checked={stay}
          onChange={({ currentTarget }) => onChange({ stay: currentTarget.checked ? null : 'no' })}
        />
        Its consumers stay
      </label>
      <CompletionInput
        name="room"
        label="Moves to make room"
        type="number"
        min="1"
        max="100"
        standard={room?.maxMoves.toString()}
      />
      <CompletionInput name="roomType" label="of consumers of type" standard={room?.type} />
      <button type="submit">Set</button>
    </form>
  );
}

interface RuleAdderProps {
  readonly rules: readonly Rule[];
  readonly onRules: (rules: readonly Rule[]) => void;
  readonly traits: readonly string[];
}

function RuleAdder({ rules, onRules, traits }: RuleAdderProps) {
  return (
    <>
      <form
        className="workload-form"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const level = formText(form, 'level');
          const allowOutside = form.has('outside');
          onRules([...rules, { rule: form.get('rule') as TopologyRule, level, allowOutside }]);
        }}
      >
        <label className="field">
          <span>Rule</span>
          <select name="rule" aria-label="Rule">
            {Object.entries(RULES).map(([rule, label]) => (
              <option key={rule} value={rule}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <CompletionInput
          name="level"
          label="Level"
          standard="tree"
          required
          pattern="[A-Za-z0-9_]+"
          title="tree, rack, zone or a trait"
          options={['tree', 'rack', 'zone', ...traits]}
        />
        <label className="check">
          <input type="checkbox" name="outside" />
          Others may be in none
        </label>
        <button type="submit">Add rule</button>
      </form>
      <div className="chips">
        {rules.map((one) => (
          <Chip
            key={`${one.rule} ${one.level} ${one.allowOutside}`}
            onRemove={() => onRules(rules.filter((other) => other !== one))}
          >
            {`${RULES[one.rule]} ${one.level}${one.allowOutside ? ', others in none' : ''}`}
          </Chip>
        ))}
      </div>
    </>
  );
}
