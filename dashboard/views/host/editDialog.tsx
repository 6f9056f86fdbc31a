import type { ReactNode } from 'react';
import { useMutation } from 'urql';
import { failureOf, type Failure } from '../../api/client';
import { ActionDialog } from '../../components/actionDialog';
import {
  EditProviderDocument,
  type HostProviderFragment,
  type UpdateResourceProviderInput,
} from '../../generated/host/operations';

/** The edited traits and reserved amounts. The server keeps everything else as it is stored. */
export type ProviderEdit = Pick<UpdateResourceProviderInput, 'traits' | 'inventories'>;

interface EditDialogProps {
  readonly title: string;
  /** The word on the button, as "Apply". */
  readonly action: string;
  readonly provider: HostProviderFragment;
  readonly edit: ProviderEdit;
  /** An explanation in addition to the list of changes. */
  readonly children?: ReactNode;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Shows the changes of a provider, and makes them when the user confirms. */
export function EditDialog({ title, action, provider, edit, children, onDone, onClose }: EditDialogProps) {
  const [, change] = useMutation(EditProviderDocument);
  const changes = changesOf(edit);
  const run = async (): Promise<Failure | null> => {
    const { uuid } = provider;
    const { data, error } = await change({ input: { resourceProvider: { uuid }, ...edit } });
    const failure = failureOf(error, data?.updateResourceProvider);
    if (failure === null) onDone?.();
    return failure;
  };
  return (
    <ActionDialog title={title} action={action} run={run} canRun={changes.length > 0} onClose={onClose}>
      {children}
      {changes.length === 0 ? (
        <p className="muted">Nothing changes.</p>
      ) : (
        <p>
          Changes <b>{provider.name}</b>:
        </p>
      )}
      <ul className="dialog-list">
        {changes.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </ActionDialog>
  );
}

const changesOf = ({ traits, inventories }: ProviderEdit): string[] => [
  ...(traits?.add ?? []).map((name) => `Adds the trait ${name}`),
  ...(traits?.remove ?? []).map((name) => `Removes the trait ${name}`),
  ...(inventories?.patch ?? []).map(({ resourceClass, reserved }) => `Reserves ${reserved} ${resourceClass}`),
];
