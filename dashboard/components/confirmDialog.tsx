import { useEffect, useId, useRef, type ReactNode } from 'react';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** The word on the button that does it, as "Release". */
  readonly action: string;
  /** Whether it is under way: the buttons wait. */
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before something is done. Shown for as long as it is rendered; Escape cancels. */
export function ConfirmDialog({
  title,
  children,
  action,
  isBusy = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onCancel();
      }}
    >
      <h2 id={id}>{title}</h2>
      <div className="dialog-text">{children}</div>
      <div className="dialog-buttons">
        <button type="button" onClick={onCancel} disabled={isBusy}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={onConfirm} disabled={isBusy}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
