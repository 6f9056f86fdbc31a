import { useEffect, type ReactNode } from 'react';
import type { EventsState } from '../api/events';
import { LiveMark } from './liveMark';

interface ViewHeadProps {
  /** The heading of the view, and the title of the page. */
  readonly title: string;
  /** The state of the stream that keeps the view up to date, if it has one. */
  readonly status?: EventsState['status'];
  /** The controls beside the heading. */
  readonly children?: ReactNode;
}

/** The head of a view. */
export function ViewHead({ title, status, children }: ViewHeadProps) {
  useEffect(() => {
    document.title = `${title} · Placement`;
  }, [title]);
  return (
    <div className="view-head">
      <h1>{title}</h1>
      {children}
      {status && (
        <span className="end">
          <LiveMark status={status} />
        </span>
      )}
    </div>
  );
}
