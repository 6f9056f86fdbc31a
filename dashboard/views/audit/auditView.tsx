import { useMemo, useState } from 'react';
import { useAddress } from '../../components/addressState';
import { CopyText } from '../../components/copyText';
import { formatCount } from '../../components/format';
import { EmptyState, ErrorState } from '../../components/states';
import { ViewHead } from '../../components/viewHead';
import { CHECK_NAMES, CHECKS } from './checks';
import { FindingGroup } from './findingGroup';
import { useAudit, type AuditState } from './useAudit';
import './audit.css';

/** The inconsistencies of the stored data by check, and their repair. */
export default function AuditView() {
  const [address, change] = useAddress();
  const check = CHECK_NAMES.find((name) => name === address.get('check'));
  const checks = useMemo(() => (check ? [check] : CHECK_NAMES), [check]);
  const [round, setRound] = useState(0);
  const state = useAudit(checks, address.get('after'), round);
  const { done, error } = state;
  const hasRepair = Array.from(done).some(([name, { nodes }]) => CHECKS[name].isRepaired && nodes.length > 0);
  const isBusy = error === undefined && done.size < checks.length;
  return (
    <div className="view">
      <ViewHead title="Audit">
        <select
          aria-label="Check"
          value={check ?? ''}
          onChange={({ currentTarget }) =>
            change({ check: currentTarget.value || null, after: null }, 'push')
          }
        >
          <option value="">All checks</option>
          {CHECK_NAMES.map((name) => (
            <option key={name} value={name}>
              {CHECKS[name].title}
            </option>
          ))}
        </select>
        <button type="button" disabled={isBusy} onClick={() => setRound(round + 1)}>
          Run again
        </button>
        {isBusy && (
          <>
            <progress aria-label="Checks" max={checks.length} value={done.size} />
            <span className="muted" role="status">
              {done.size} of {formatCount(checks.length, 'check')} done
            </span>
          </>
        )}
      </ViewHead>
      {error && <ErrorState error={error} onRetry={() => setRound(round + 1)} />}
      <FindingGroups done={done} isComplete={!isBusy && !error} />
      {hasRepair && <Repair />}
    </div>
  );
}

interface FindingGroupsProps extends Pick<AuditState, 'done'> {
  readonly isComplete: boolean;
}

function FindingGroups({ done, isComplete }: FindingGroupsProps) {
  const found = Array.from(done).filter(([, { nodes }]) => nodes.length > 0);
  const count = found.reduce((sum, [, { nodes, totalCount }]) => sum + (totalCount ?? nodes.length), 0);
  if (count === 0)
    return (
      isComplete && (
        <div className="panel">
          <EmptyState title="The audit found nothing." />
        </div>
      )
    );
  return (
    <>
      <p role="status">{formatCount(count, 'finding')}</p>
      {found.map(([name, findings]) => (
        <FindingGroup key={name} check={name} findings={findings} />
      ))}
    </>
  );
}

function Repair() {
  return (
    <section className="panel" aria-labelledby="repair">
      <h2 id="repair">Repair</h2>
      <p>
        This command deletes rows that refer to missing rows. It checks each row again before, and prints the
        deleted rows. Other findings need a decision.
      </p>
      <CopyText label="Command of the repair" text="placement-graphql audit-database --fix" />
    </section>
  );
}
