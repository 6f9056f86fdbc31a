import type { EventsState } from '../api/events';

const TEXTS: Readonly<Record<EventsState['status'], string>> = {
  connecting: 'Connecting',
  live: 'Live',
  interrupted: 'Reconnecting',
};

/** Whether what is shown follows what happens. */
export function LiveMark({ status }: Pick<EventsState, 'status'>) {
  return (
    <span className={`live-mark ${status}`} role="status">
      {TEXTS[status]}
    </span>
  );
}
