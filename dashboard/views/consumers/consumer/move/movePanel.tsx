import { useMemo, useState } from 'react';
import { useAddressState } from '../../../../components/addressState';
import { sumByClass } from '../../amounts';
import type { Consumer } from '../consumer';
import { MoveDialog, type Move } from './moveDialog';
import { Moved, type MoveResult } from './moved';
import { moveRequest, readTarget, TARGETS, wantedAmounts, writeResize } from './moveRequest';

/** Moves a consumer, or gives it other amounts. */
export function MovePanel({ consumer }: { readonly consumer: Consumer }) {
  const { allocations } = consumer;
  const [resize, setResize] = useAddressState('resize');
  const [to, setTo] = useAddressState('to', 'any');
  const [keeps, setKeeps] = useAddressState('keep');
  const [move, setMove] = useState<Move | null>(null);
  const [result, setResult] = useState<MoveResult | null>(null);
  const target = readTarget(to);
  const wanted = useMemo(() => wantedAmounts(allocations, resize), [allocations, resize]);
  const isEmpty = Array.from(wanted.values()).every((amount) => amount === 0);
  const ask = (): void =>
    setMove({
      consumer,
      request: moveRequest(consumer, wanted, target),
      wanted,
      target,
      keepsOld: keeps !== '',
    });
  return (
    <section className="panel move-panel" aria-labelledby="move">
      <h2 id="move">Move or resize</h2>
      <Amounts
        allocations={allocations}
        wanted={wanted}
        onWanted={(next) => setResize(writeResize(allocations, next))}
      />
      <label>
        To
        <select aria-label="To" value={target} onChange={(event) => setTo(event.currentTarget.value)}>
          {TARGETS.map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={keeps !== ''}
          onChange={(event) => setKeeps(event.currentTarget.checked ? 'old' : '')}
        />
        Keep what it has as another consumer meanwhile, as for a live migration
      </label>
      <p className="hint">
        The search goes by the amounts alone: the traits, groups and neighbours that its own request named are
        not stored.
      </p>
      <button type="button" className="primary" disabled={isEmpty} onClick={ask}>
        Move
      </button>
      {result && <Moved result={result} />}
      {move && <MoveDialog move={move} onMoved={setResult} onClose={() => setMove(null)} />}
    </section>
  );
}

interface AmountsProps extends Pick<Consumer, 'allocations'> {
  readonly wanted: ReadonlyMap<string, number>;
  readonly onWanted: (wanted: ReadonlyMap<string, number>) => void;
}

function Amounts({ allocations, wanted, onWanted }: AmountsProps) {
  const now = sumByClass(allocations);
  return Array.from(wanted, ([name, amount]) => (
    <label key={name}>
      {name}
      <input
        type="number"
        min="0"
        max="2147483647"
        value={amount}
        className={now.get(name) === amount ? undefined : 'changed'}
        onChange={({ currentTarget }) => {
          if (currentTarget.validity.valid) onWanted(new Map(wanted).set(name, Number(currentTarget.value)));
        }}
      />
    </label>
  ));
}
