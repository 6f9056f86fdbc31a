import { useMemo, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { failureOf, isUncertain, type Failure } from '../../api/client';
import { MAINTENANCE } from '../../components/maintenance';
import { DeleteHostDocument, type HostProviderFragment } from '../../generated/host/operations';
import { ApplyDialog } from './applyDialog';
import { EditDialog } from './editDialog';

interface HostActionsProps {
  /** The providers of the tree, the root first. */
  readonly tree: readonly HostProviderFragment[];
}

/** Starts and ends maintenance of a host, and removes the host. */
export function HostActions({ tree }: HostActionsProps) {
  const [asked, setAsked] = useState<'maintenance' | 'remove' | null>(null);
  const close = (): void => setAsked(null);
  const isInMaintenance = hasMaintenance(tree[0]);
  return (
    <>
      <button type="button" className="small" onClick={() => setAsked('maintenance')}>
        {isInMaintenance ? 'End maintenance' : 'Start maintenance'}
      </button>
      <button type="button" className="small" onClick={() => setAsked('remove')}>
        Remove host
      </button>
      {asked === 'maintenance' && <MaintenanceDialog host={tree[0]} onClose={close} />}
      {asked === 'remove' && <RemoveDialog host={tree[0]} onClose={close} />}
    </>
  );
}

export const hasMaintenance = ({ traits }: HostProviderFragment): boolean =>
  traits.some(({ name }) => name === MAINTENANCE);

interface DialogProps {
  readonly host: HostProviderFragment;
  readonly onClose: () => void;
}

function MaintenanceDialog({ host, onClose }: DialogProps) {
  const [isStart] = useState(!hasMaintenance(host));
  return (
    <EditDialog
      title={`${isStart ? 'Start' : 'End'} maintenance of ${host.name}?`}
      action={isStart ? 'Start' : 'End'}
      provider={host}
      edit={{ traits: isStart ? { add: [MAINTENANCE] } : { remove: [MAINTENANCE] } }}
      onClose={onClose}
    >
      <p>Requests that forbid the trait get no candidates on the host; its consumers stay.</p>
    </EditDialog>
  );
}

function RemoveDialog({ host: shown, onClose }: DialogProps) {
  const [host] = useState(shown);
  const [, deleteHost] = useMutation(DeleteHostDocument);
  const [, navigate] = useLocation();
  const root = useMemo(() => {
    const { uuid, name, generation } = host;
    return { uuid, name, generation, inventories: [], children: [] };
  }, [host]);
  const mayBeRemoved = useRef(false);
  const remove = async (): Promise<Failure | null> => {
    const { data, error } = await deleteHost({ input: { resourceProvider: { uuid: host.uuid } } });
    const failure = failureOf(error, data?.deleteResourceProvider);
    if (mayBeRemoved.current && failure?.code === 'NOT_FOUND') return null;
    mayBeRemoved.current ||= failure !== null && isUncertain(failure);
    return failure;
  };
  return (
    <ApplyDialog
      title={`Remove ${host.name}?`}
      action="Remove"
      root={root}
      then={remove}
      onDone={() => navigate('/')}
      onClose={onClose}
    >
      <p>
        Deletes <b>{host.name}</b> with its inventories. A host with consumers cannot be removed: drain it
        first.
      </p>
    </ApplyDialog>
  );
}
