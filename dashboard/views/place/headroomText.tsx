import { useQuery } from 'urql';
import { formatAmount } from '../../components/format';
import { PlaceHeadroomDocument, type AllocationCandidatesInput } from '../../generated/place/operations';

/** The count at which the server stops counting. A higher count takes longer. */
const UP_TO = 2_000;

/** Shows how many consumers of the request could be claimed one after another. */
export function HeadroomText({ request }: { readonly request: AllocationCandidatesInput }) {
  const [{ data }] = useQuery({
    query: PlaceHeadroomDocument,
    variables: { request, upTo: UP_TO },
    requestPolicy: 'cache-and-network',
  });
  if (!data?.headroom) return <p className="muted">Counting how many fit …</p>;
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
