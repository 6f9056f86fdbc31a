import { useState, type ReactNode } from 'react';
import type { Failure } from '../api/client';
import { ConfirmDialog } from './confirmDialog';
import { FailureText } from './failureText';

interface ActionDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** The word on the button that does it, as "Release". */
  readonly action: string;
  /** Does it; gives why it was not done, or null. */
  readonly run: () => Promise<Failure | null>;
  /** Called when it is done, or given up. */
  readonly onClose: () => void;
}

/** Asks before something is done, does it, and stays to say why where it cannot be done. */
export function ActionDialog({ title, children, action, run, onClose }: ActionDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const confirm = async (): Promise<void> => {
    setIsBusy(true);
    const next = await run();
    setIsBusy(false);
    setFailure(next);
    if (next === null) onClose();
  };
  return (
    <ConfirmDialog
      title={title}
      action={failure ? `${action} again` : action}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {children}
      {failure && <FailureText failure={failure} />}
    </ConfirmDialog>
  );
}
