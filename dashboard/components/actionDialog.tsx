import { useState, type ReactNode } from 'react';
import type { Failure } from '../api/client';
import { ConfirmDialog } from './confirmDialog';
import { FailureText } from './failureText';

interface ActionDialogProps {
  readonly title: string;
  /** The effects of the action. */
  readonly children: ReactNode;
  /** The word on the button, as "Release". */
  readonly action: string;
  /** Runs the action. Resolves to the reason of a failure, or null. */
  readonly run: () => Promise<Failure | null>;
  /** Whether the action can run yet. Defaults to true. */
  readonly canRun?: boolean;
  /** Called after a success, and when the user cancels. */
  readonly onClose: () => void;
}

/** Asks for a confirmation, runs an action, and shows the reason of a failure. */
export function ActionDialog({ title, children, action, run, canRun = true, onClose }: ActionDialogProps) {
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
      canConfirm={canRun}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {children}
      {failure && <FailureText failure={failure} />}
    </ConfirmDialog>
  );
}
