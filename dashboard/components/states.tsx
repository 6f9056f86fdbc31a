import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { describe } from '../api/client';

/** Takes the room of what is to come. */
export function LoadingState() {
  return (
    <div className="state" role="status">
      <span className="spinner" aria-hidden="true" />
      Loading …
    </div>
  );
}

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** Says that there is nothing to show, and what may be done. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children}
    </div>
  );
}

interface ErrorStateProps {
  readonly error: CombinedError;
  readonly onRetry?: () => void;
}

/** Says what has gone wrong. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { code, message } = describe(error);
  return (
    <div className="state" role="alert">
      <p className="state-title">{message}</p>
      <p className="muted">{code}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
