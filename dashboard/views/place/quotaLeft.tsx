import { useMemo } from 'react';
import { createRequest, useQuery } from 'urql';
import { describe } from '../../api/client';
import { FailureText } from '../../components/failureText';
import { formatAmount, formatSize } from '../../components/format';
import {
  PlaceQuotaDocument,
  type AllocationCandidatesInput,
  type PlaceQuotaQuery,
} from '../../generated/place/operations';

interface QuotaLeftProps {
  readonly projectId: string;
  readonly request: AllocationCandidatesInput;
}

/** Shows what is left of the limits of a project and of its group that concern the request. Without limits: nothing. */
export function QuotaLeft({ projectId, request }: QuotaLeftProps) {
  const variables = useMemo(() => ({ projectId, request }), [projectId, request]);
  const [{ data, error, operation }] = useQuery({
    query: PlaceQuotaDocument,
    variables,
    requestPolicy: 'cache-and-network',
  });
  const isOfRequest = operation?.key === createRequest(PlaceQuotaDocument, variables).key;
  if (!isOfRequest) return null;
  if (error) return <FailureText failure={describe(error)} />;
  const quota = data?.headroom?.quota;
  if (!quota || quota.limits.length === 0) return null;
  return (
    <div className="quota-left" role="status">
      {quota.fits ? (
        <p>
          The quota of {projectId} allows <b>{formatAmount(quota.count ?? 0)}</b> of these:
        </p>
      ) : (
        <p className="failed">The request exceeds the quota of {projectId}:</p>
      )}
      <ul>
        {quota.limits.map((each) => (
          <LimitLeft
            key={`${each.quota.group?.name ?? ''} ${each.quota.resourceClass?.name ?? ''}`}
            {...each}
          />
        ))}
      </ul>
    </div>
  );
}

type Limit = NonNullable<NonNullable<PlaceQuotaQuery['headroom']>['quota']>['limits'][number];

function LimitLeft({ quota: { limit, resourceClass, group }, asked, left, fits }: Limit) {
  const size = (amount: number): string =>
    resourceClass ? `${formatSize(resourceClass.name, amount)} ${resourceClass.name}` : formatAmount(amount);
  return (
    <li className={fits ? undefined : 'failed'}>
      {size(left)} of {size(limit)}
      {!resourceClass && ' consumers'} left
      {group && ` in the group ${group.name}`}, the request needs {size(asked)}
    </li>
  );
}
