import { useEffect, useId, useRef, type ReactNode } from 'react';
import { restoreFocus } from './focus';

interface ConfirmDialogProps {
  readonly title: string;
  /** The effects of the action. */
  readonly children: ReactNode;
  /** The word on the button, as "Release". */
  readonly action: string;
  /** Whether the action runs: the buttons are disabled. */
  readonly isBusy?: boolean;
  /** Defaults to true. */
  readonly canConfirm?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks for a confirmation while it is rendered. Escape cancels. Afterwards the element that had the focus has it again. */
export function ConfirmDialog({
  title,
  children,
  action,
  isBusy = false,
  canConfirm = true,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const focused = document.activeElement;
    dialog.current?.showModal();
    return () => restoreFocus(focused);
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onCancel();
      }}
      // browsers close the dialog at a second Escape, whatever the cancel event says
      onClose={() => (isBusy ? dialog.current?.showModal() : onCancel())}
    >
      <h2 id={id}>{title}</h2>
      <div className="dialog-text">{children}</div>
      <div className="dialog-buttons">
        <button type="button" onClick={onCancel} disabled={isBusy}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={onConfirm} disabled={isBusy || !canConfirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
