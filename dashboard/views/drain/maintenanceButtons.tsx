import { useRef, useState } from 'react';
import { useMutation } from 'urql';
import { failureOf, type Failure } from '../../api/client';
import { ActionDialog } from '../../components/actionDialog';
import { formatCount } from '../../components/format';
import { MAINTENANCE } from '../../components/maintenance';
import { SetMaintenanceDocument } from '../../generated/drain/operations';

interface MaintenanceButtonsProps {
  /** The names of hosts that are not in maintenance. */
  readonly open: readonly string[];
  /** The names of hosts in maintenance. */
  readonly disabled: readonly string[];
  /** Called after a change of some of the hosts. */
  readonly onChanged?: () => void;
}

/** Starts or ends maintenance of several hosts. */
export function MaintenanceButtons({ open, disabled, onChanged }: MaintenanceButtonsProps) {
  const [asked, setAsked] = useState<MaintenanceProps | null>(null);
  return (
    <>
      {open.length > 0 && (
        <button type="button" className="small" onClick={() => setAsked({ hosts: open, isStart: true })}>
          Start maintenance of {formatCount(open.length, 'host')}
        </button>
      )}
      {disabled.length > 0 && (
        <button type="button" className="small" onClick={() => setAsked({ hosts: disabled, isStart: false })}>
          End maintenance of {formatCount(disabled.length, 'host')}
        </button>
      )}
      {asked && (
        <MaintenanceDialog
          {...asked}
          onClose={() => {
            setAsked(null);
            onChanged?.();
          }}
        />
      )}
    </>
  );
}

interface MaintenanceProps {
  readonly hosts: readonly string[];
  readonly isStart: boolean;
}

/** The number of hosts that the dialog names. */
const SHOWN = 10;

/** Changes one host after the other. Stops at the first that fails; a retry continues there. */
function MaintenanceDialog({ hosts, isStart, onClose }: MaintenanceProps & { readonly onClose: () => void }) {
  const [, change] = useMutation(SetMaintenanceDocument);
  const [shown, setShown] = useState(0);
  const done = useRef(0);
  const run = async (): Promise<Failure | null> => {
    const traits = isStart ? { add: [MAINTENANCE] } : { remove: [MAINTENANCE] };
    for (const name of hosts.slice(done.current)) {
      const { data, error } = await change({ input: { resourceProvider: { name }, traits } });
      const failure = failureOf(error, data?.updateResourceProvider);
      if (failure !== null) return { ...failure, message: `${name}: ${failure.message}` };
      setShown(++done.current);
    }
    return null;
  };
  const word = isStart ? 'Start' : 'End';
  return (
    <ActionDialog
      title={`${word} maintenance of ${formatCount(hosts.length, 'host')}?`}
      action={word}
      run={run}
      onClose={onClose}
    >
      <p>
        {isStart ? 'Adds' : 'Removes'} the trait {MAINTENANCE}, host by host:
      </p>
      <ul className="dialog-list">
        {hosts.slice(0, SHOWN).map((name) => (
          <li key={name}>{name}</li>
        ))}
        {hosts.length > SHOWN && <li>{formatCount(hosts.length - SHOWN, 'more host')}</li>}
      </ul>
      {shown > 0 && (
        <p role="status">
          {shown} of {formatCount(hosts.length, 'host')} done
        </p>
      )}
    </ActionDialog>
  );
}
