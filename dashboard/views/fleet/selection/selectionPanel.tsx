import { useState } from 'react';
import { Link } from 'wouter';
import { useViewer } from '../../../api/viewer';
import { formatCount } from '../../../components/format';
import { MaintenanceButtons } from '../../drain/maintenanceButtons';
import { writeWhatIf } from '../../drain/whatIf';
import type { FleetData } from '../fleetData';
import { MAX_SELECTED, type Selection } from './selection';

interface SelectionPanelProps {
  readonly data: FleetData;
  /** The hosts that match the search, or null. */
  readonly found: ReadonlySet<number> | null;
  readonly selection: Selection;
}

/** Selects hosts together, and offers the actions on the selected ones. */
export default function SelectionPanel({ data, found, selection }: SelectionPanelProps) {
  const { hosts, select, fleet, setFleet } = selection;
  const { may } = useViewer();
  const unknown = hosts.filter((name) => !data.indices.has(name));
  const known = hosts.filter((name) => data.indices.has(name));
  const isDisabled = (name: string): boolean => data.inMaintenance.has(data.indices.get(name)!);
  const add = (indices: Iterable<number>): void =>
    select([...hosts, ...Array.from(indices, (host) => data.names[host])]);
  const imagine = (change: Partial<typeof fleet>): void => {
    setFleet({ ...fleet, ...change });
    select([]);
  };
  return (
    <section className="panel selection" aria-label="Selected hosts">
      <p role="status">
        <b>{formatCount(hosts.length, 'host')}</b> selected
        {hosts.length === MAX_SELECTED && `, the most that the page selects`}.
      </p>
      <select
        aria-label="Select a group"
        value=""
        onChange={({ currentTarget }) => add(data.groups[Number(currentTarget.value)].hosts)}
      >
        <option value="">Select a group …</option>
        {data.groups.map(({ label }, at) => (
          <option key={label} value={at}>
            {label || 'all'}
          </option>
        ))}
      </select>
      {found && (
        <button type="button" className="small" onClick={() => add(found)}>
          Select the {formatCount(found.size, 'found host')}
        </button>
      )}
      {hosts.length > 0 && (
        <button type="button" className="small" onClick={() => select([])}>
          Select none
        </button>
      )}
      {unknown.length > 0 && (
        <p className="failed" role="alert">
          Not on the map: {unknown.join(', ')}.{' '}
          <button type="button" className="small" onClick={() => select(known)}>
            Remove from the selection
          </button>
        </p>
      )}
      {known.length > 0 && (
        <>
          <Link href={drainHref(known, selection)}>Drain</Link>
          {may('edit') && (
            <MaintenanceButtons
              open={known.filter((name) => !isDisabled(name))}
              disabled={known.filter(isDisabled)}
            />
          )}
          <button
            type="button"
            className="small"
            onClick={() => imagine({ without: [...new Set([...fleet.without, ...known])] })}
          >
            What if without
          </button>
          <CopyForm
            onCopy={(count) =>
              imagine({
                copies: [
                  ...fleet.copies.filter(({ host }) => !known.includes(host)),
                  ...known.map((host) => ({ host, count })),
                ],
              })
            }
          />
        </>
      )}
    </section>
  );
}

/** Returns the page that drains the hosts in the fleet of the counts. */
function drainHref(hosts: readonly string[], { fleet }: Selection): string {
  const address = new URLSearchParams(hosts.map((name) => ['host', name]));
  return `/drain?${writeWhatIf(address, fleet)}`;
}

function CopyForm({ onCopy }: { readonly onCopy: (count: number) => void }) {
  const [count, setCount] = useState('1');
  return (
    <form
      className="copy-form"
      onSubmit={(event) => {
        event.preventDefault();
        onCopy(Number(count));
      }}
    >
      <label className="inline-field">
        <span>Copies</span>
        <input
          type="number"
          min="1"
          max="1000"
          required
          value={count}
          onChange={({ currentTarget }) => setCount(currentTarget.value)}
        />
      </label>
      <button type="submit" className="small">
        What if with copies
      </button>
    </form>
  );
}
