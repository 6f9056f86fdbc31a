import { useMemo } from 'react';
import { createRequest, useQuery } from 'urql';
import { describe } from '../../api/client';
import { FailureText } from '../../components/failureText';
import { formatAmount } from '../../components/format';
import { PlaceHeadroomDocument, type AllocationCandidatesInput } from '../../generated/place/operations';

/** The count at which the server stops counting. A higher count takes longer. */
const UP_TO = 2_000;

/** Shows how many consumers of the request could be claimed one after another. */
export function HeadroomText({ request }: { readonly request: AllocationCandidatesInput }) {
  const variables = useMemo(() => ({ request, upTo: UP_TO }), [request]);
  const [{ data, error, operation }] = useQuery({
    query: PlaceHeadroomDocument,
    variables,
    requestPolicy: 'cache-and-network',
  });
  const isOfRequest = operation?.key === createRequest(PlaceHeadroomDocument, variables).key;
  if (error && isOfRequest) return <FailureText failure={describe(error)} />;
  if (!data?.headroom || !isOfRequest) return <p className="muted">Counting how many fit …</p>;
  const { count, exact, reachedUpTo } = data.headroom;
  return (
    <p className="headroom">
      <b>
        {reachedUpTo || !exact ? '≥ ' : ''}
        {formatAmount(count)}
      </b>{' '}
      of these fit, claimed one after another.
    </p>
  );
}
