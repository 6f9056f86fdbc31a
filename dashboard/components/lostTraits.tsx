import { formatCount } from './format';

/** A move with the traits that it loses. */
export interface Losing {
  readonly traitsLost: readonly string[];
}

export const losesTraits = (moves: readonly Losing[]): boolean =>
  moves.some(({ traitsLost }) => traitsLost.length > 0);

interface LostTraitsProps {
  readonly moves: readonly Losing[];
  readonly isAccepted: boolean;
  readonly onAccept: (isAccepted: boolean) => void;
}

/** Lists the traits that moves lose, and asks to accept the loss. Shows nothing if they lose none. */
export function LostTraits({ moves, isAccepted, onAccept }: LostTraitsProps) {
  if (!losesTraits(moves)) return null;
  return (
    <>
      <p className="failed">The new hosts lack traits of the old ones:</p>
      <ul className="dialog-list">
        {Array.from(countsByTrait(moves), ([name, count]) => (
          <li key={name}>
            <b>{name}</b>: {formatCount(count, 'consumer')}
          </li>
        ))}
      </ul>
      <label>
        <input
          type="checkbox"
          checked={isAccepted}
          onChange={({ currentTarget }) => onAccept(currentTarget.checked)}
        />{' '}
        Move them all the same
      </label>
    </>
  );
}

function countsByTrait(moves: readonly Losing[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of moves.flatMap(({ traitsLost }) => traitsLost))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return Array.from(counts).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The column of a table of moves with the traits that each loses; none if no move loses any. */
export function lostTraitsColumn(moves: readonly Losing[]) {
  const cell = ({ traitsLost }: Losing): string => traitsLost.join(', ');
  return losesTraits(moves) ? [{ key: 'lost', title: 'Loses traits', isLong: true, cell }] : [];
}
