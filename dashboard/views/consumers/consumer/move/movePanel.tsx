import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useAddressState } from '../../../../components/addressState';
import { sumByClass } from '../../../../components/amounts';
import { Destination } from '../../../../components/destination';
import { newUuid } from '../../../../components/uuid';
import type { Consumer } from '../consumer';
import { MoveDialog, type Move, type Planned } from './moveDialog';
import { hostsOf, moveRequest, readTarget, TARGETS, wantedAmounts, writeResize } from './moveRequest';

/** Moves or resizes a consumer. */
export function MovePanel({ consumer }: { readonly consumer: Consumer }) {
  const { allocations } = consumer;
  const [resize, setResize] = useAddressState('resize');
  const [to, setTo] = useAddressState('to', 'any');
  const [keeps, setKeeps] = useAddressState('keep');
  const [move, setMove] = useState<Move | null>(null);
  const [result, setResult] = useState<MovedProps | null>(null);
  const target = readTarget(to);
  const hosts = hostsOf(consumer);
  const wanted = useMemo(() => wantedAmounts(allocations, resize), [allocations, resize]);
  const isEmpty = Array.from(wanted.values()).every((amount) => amount === 0);
  const isUnchanged = writeResize(allocations, wanted) === '' && target === 'any' && keeps === '';
  const ask = (): void =>
    setMove({
      consumer,
      request: moveRequest(consumer, wanted, target),
      oldAs: keeps === '' ? null : newUuid(),
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
        Keep the current allocations under another consumer, as for a live migration
      </label>
      <p className="hint">
        The search uses the remembered request if the amounts are unchanged, else the amounts only.
      </p>
      <SeveralHosts hosts={hosts} />
      <button
        type="button"
        className="primary"
        disabled={isEmpty || isUnchanged || hosts.length > 1}
        onClick={ask}
      >
        Move
      </button>
      {result && <Moved {...result} />}
      {move && (
        <MoveDialog
          move={move}
          onMoved={(planned, keptAs) => setResult({ planned, keptAs })}
          onClose={() => setMove(null)}
        />
      )}
    </section>
  );
}

interface MovedProps {
  readonly planned: Planned;
  /** The consumer that keeps former allocations. */
  readonly keptAs: string | null;
}

function Moved({ planned, keptAs }: MovedProps) {
  return (
    <div role="status" className="moved">
      <p>Moved to:</p>
      <Destination allocations={planned.allocations} />
      {keptAs !== null && (
        <p>
          The former allocations belong to <Link href={`/consumers/${keptAs}`}>{keptAs}</Link>.
        </p>
      )}
    </div>
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

/** Explains why a consumer with allocations on several hosts cannot be moved. */
function SeveralHosts({ hosts }: { readonly hosts: readonly string[] }) {
  if (hosts.length < 2) return null;
  return (
    <p role="alert">
      It has allocations on {hosts.join(' and ')}. A move would take all of them to one host: first remove
      what is left over with <code>consumer unset --in-tree</code>.
    </p>
  );
}
