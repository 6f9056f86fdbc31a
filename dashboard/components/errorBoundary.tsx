import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** The path of the page. Another path shows the children again. */
  readonly path: string;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly path: string;
  readonly hasFailed: boolean;
}

/** Shows a message in place of a view that cannot be loaded or drawn. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state = { path: this.props.path, hasFailed: false };

  static getDerivedStateFromError(): Partial<ErrorBoundaryState> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps(
    { path }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return path === state.path ? null : { path, hasFailed: false };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="state" role="alert">
        <p className="state-title">This page could not be shown.</p>
        <p className="muted">The server may run another version since the page was opened.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
}
