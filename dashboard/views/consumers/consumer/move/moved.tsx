import { Link } from 'wouter';
import { formatAmounts } from '../../../../components/format';
import type { MoveConsumerMutation } from '../../../../generated/consumers/operations';

export type MoveResult = Extract<
  MoveConsumerMutation['claim'],
  { __typename: 'ClaimPayload' }
>['claims'][number];

/** What a move has given to the consumer. */
export function Moved({ result: { allocationRequest, keptAs } }: { readonly result: MoveResult }) {
  return (
    <div role="status" className="moved">
      <p>It has now:</p>
      <ul>
        {allocationRequest.allocations.map(({ resourceProvider: { name }, resources }) => (
          <li key={name}>
            {formatAmounts(resources)} of <Link href={`/hosts/${encodeURIComponent(name)}`}>{name}</Link>
          </li>
        ))}
      </ul>
      {keptAs && (
        <p>
          What it had is kept by <Link href={`/consumers/${keptAs.uuid}`}>{keptAs.uuid}</Link>.
        </p>
      )}
    </div>
  );
}
