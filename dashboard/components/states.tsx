import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { Link } from 'wouter';
import { describe } from '../api/client';

/** Stands in for content that is still loading. */
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

/** Shows that there is no content. The children suggest the next steps. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children}
    </div>
  );
}

interface UnknownValueProps {
  /** The kind of the value, such as "goal". */
  readonly what: string;
  readonly value: string;
  /** The address without the value. */
  readonly href: string;
}

/** Shows a value of the address that does not exist. */
export function UnknownValue({ what, value, href }: UnknownValueProps) {
  return (
    <div className="panel" role="alert">
      <EmptyState title={`"${value}" is no ${what}.`}>
        <Link href={href}>Back to the page without it</Link>
      </EmptyState>
    </div>
  );
}

interface ErrorStateProps {
  readonly error: CombinedError;
  readonly onRetry?: () => void;
}

/** Shows an error, with a retry button if `onRetry` is given. */
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
