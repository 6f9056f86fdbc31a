import { formatCount } from '../../components/format';
import { MoveButton, moveTo } from '../../components/moveButton';
import type { Plan } from './useDrainPlan';

export type Move = Plan['moves'][number];

/** The maximum number of consumers of one transaction. */
const MAX_CONSUMERS = 1_000;

interface MoveAllButtonProps {
  readonly moves: readonly Move[];
  /** The hosts of the plan that take new consumers, and that maintenance would keep from it. */
  readonly open: readonly string[];
  /** Called with the number of moved consumers. */
  readonly onMoved: (count: number) => void;
}

/** Carries out a plan: moves its consumers that fit elsewhere. A transaction moves all or none. */
export function MoveAllButton({ moves, open, onMoved }: MoveAllButtonProps) {
  const inputs = moves.flatMap(({ consumer, allocationRequest }) =>
    allocationRequest ? [moveTo(consumer, consumer.generation, allocationRequest.claimToken)] : [],
  );
  if (inputs.length === 0) return null;
  const steps = Array.from({ length: Math.ceil(inputs.length / MAX_CONSUMERS) }, (_, at) =>
    inputs.slice(at * MAX_CONSUMERS, (at + 1) * MAX_CONSUMERS),
  );
  return (
    <MoveButton
      steps={steps}
      moves={moves}
      label={`Move ${formatCount(inputs.length, 'consumer')}`}
      onMoved={onMoved}
    >
      <ul className="dialog-list">
        {Array.from(countsByHost(moves), ([name, moved]) => (
          <li key={name}>
            <b>{name}</b>: {formatCount(moved, 'consumer')}
          </li>
        ))}
      </ul>
      <p>
        {steps.length > 1 ? 'Each 1,000' : 'All'} move in one transaction, or none if anything has changed
        since the plan.{' '}
        {open.length > 0
          ? `Start maintenance first to keep new consumers off ${open.length > 3 ? formatCount(open.length, 'host') : open.join(', ')}.`
          : 'Maintenance keeps new consumers off.'}
      </p>
    </MoveButton>
  );
}

/** The number of consumers that each host receives. */
function countsByHost(moves: readonly Move[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { allocationRequest } of moves) {
    const own = allocationRequest?.allocations.filter((part) => !part.resourceProvider.isSharing) ?? [];
    for (const name of new Set(own.map(({ resourceProvider }) => resourceProvider.root.name)))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
