import { useMemo, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { failureOf, type Failure } from '../../api/client';
import { MAINTENANCE } from '../../components/maintenance';
import { DeleteHostDocument, type HostProviderFragment } from '../../generated/host/operations';
import { ApplyDialog } from './applyDialog';
import { treeWith } from './desiredTree';

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
      {asked === 'maintenance' && <MaintenanceDialog tree={tree} onClose={close} />}
      {asked === 'remove' && <RemoveDialog tree={tree} onClose={close} />}
    </>
  );
}

export const hasMaintenance = ({ traits }: HostProviderFragment): boolean =>
  traits.some(({ name }) => name === MAINTENANCE);

interface DialogProps extends HostActionsProps {
  readonly onClose: () => void;
}

function MaintenanceDialog({ tree: shown, onClose }: DialogProps) {
  const [tree] = useState(shown);
  const [host] = tree;
  const isStart = !hasMaintenance(host);
  const root = useMemo(() => {
    const others = host.traits.map(({ name }) => name).filter((name) => name !== MAINTENANCE);
    return treeWith(tree, host, { traits: isStart ? [...others, MAINTENANCE] : others });
  }, [tree, host, isStart]);
  return (
    <ApplyDialog
      title={`${isStart ? 'Start' : 'End'} maintenance of ${host.name}?`}
      action={isStart ? 'Start' : 'End'}
      root={root}
      onDone={() => undefined}
      onClose={onClose}
    >
      <p>
        {isStart ? 'Adds' : 'Removes'} the trait {MAINTENANCE}. Requests that forbid it get no candidates on
        the host; its consumers stay.
      </p>
    </ApplyDialog>
  );
}

function RemoveDialog({ tree: shown, onClose }: DialogProps) {
  const [tree] = useState(shown);
  const [host] = tree;
  const [, deleteHost] = useMutation(DeleteHostDocument);
  const [, navigate] = useLocation();
  const root = useMemo(() => treeWith(tree, host, { inventories: [], children: [] }), [tree, host]);
  const remove = async (): Promise<Failure | null> => {
    const { data, error } = await deleteHost({ input: { resourceProvider: { uuid: host.uuid } } });
    return failureOf(error, data?.deleteResourceProvider);
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
