import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useAddress } from '../../components/addressState';
import { CopyText } from '../../components/copyText';
import { formatCount } from '../../components/format';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { AuditDocument, type AuditQuery } from '../../generated/audit/operations';
import { CHECK_NAMES, CHECKS } from './checks';
import { FindingGroup } from './findingGroup';
import './audit.css';

/** What is wrong with what is stored, by check, and what can be done about it. */
export default function AuditView() {
  const [address, change] = useAddress();
  const check = CHECK_NAMES.find((name) => name === address.get('check'));
  const after = address.get('after');
  const [{ data, error, fetching }, look] = useQuery({
    query: AuditDocument,
    variables: useMemo(() => ({ checks: check ? [check] : null, after }), [check, after]),
    requestPolicy: 'cache-and-network',
  });
  return (
    <div className="view">
      <div className="view-head">
        <h1>Audit</h1>
        <select
          aria-label="Check"
          value={check ?? ''}
          onChange={({ currentTarget }) => change({ check: currentTarget.value || null, after: null })}
        >
          <option value="">All checks</option>
          {CHECK_NAMES.map((name) => (
            <option key={name} value={name}>
              {CHECKS[name].title}
            </option>
          ))}
        </select>
        <button type="button" disabled={fetching} onClick={() => look({ requestPolicy: 'network-only' })}>
          Look again
        </button>
        <span className="muted" role="status">
          {fetching ? 'Reading everything that is stored …' : ''}
        </span>
      </div>
      {error ? (
        <ErrorState error={error} onRetry={() => look({ requestPolicy: 'network-only' })} />
      ) : data?.audit ? (
        <Findings
          audit={data.audit}
          isLaterPage={after !== null}
          onPage={(cursor) => change({ after: cursor })}
        />
      ) : (
        <LoadingState />
      )}
      <Repair />
    </div>
  );
}

interface FindingsProps {
  readonly audit: NonNullable<AuditQuery['audit']>;
  readonly isLaterPage: boolean;
  /** Goes to the page behind a cursor; null: to the first. */
  readonly onPage: (cursor: string | null) => void;
}

function Findings({ audit: { nodes, totalCount, pageInfo }, isLaterPage, onPage }: FindingsProps) {
  if (nodes.length === 0)
    return (
      <div className="panel">
        <EmptyState title="Nothing is wrong." />
      </div>
    );
  const groups = CHECK_NAMES.map((check) => [check, nodes.filter((one) => one.check === check)] as const);
  return (
    <>
      <p role="status">{formatCount(totalCount ?? nodes.length, 'finding')}</p>
      {groups.map(
        ([check, findings]) =>
          findings.length > 0 && <FindingGroup key={check} check={check} findings={findings} />,
      )}
      {(isLaterPage || pageInfo.hasNextPage) && (
        <nav className="pager" aria-label="Pages">
          <button type="button" className="small" disabled={!isLaterPage} onClick={() => onPage(null)}>
            First
          </button>
          <button
            type="button"
            className="small"
            disabled={!pageInfo.hasNextPage}
            onClick={() => onPage(pageInfo.endCursor)}
          >
            Next
          </button>
        </nav>
      )}
    </>
  );
}

function Repair() {
  return (
    <section className="panel" aria-labelledby="repair">
      <h2 id="repair">Repair</h2>
      <p>
        Repairs are made on the command line, beside the database, and not by this page. The command deletes
        what points at nothing, validates everything again before, and says of each row what it was. All else
        needs a decision.
      </p>
      <CopyText label="Command of the repair" text="placement-graphql audit-database --fix" />
    </section>
  );
}
