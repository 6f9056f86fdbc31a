import { useState, useEffect } from 'react';
import type { EventsState } from '../api/events';
import { onSilence } from '../api/silence';

const TEXTS: Readonly<Record<EventsState['status'], string>> = {
  connecting: 'Connecting',
  live: 'Live',
  interrupted: 'Reconnecting',
  forbidden: 'No live updates',
};

/** Whether the view shows changes as they happen. */
export function LiveMark({ status }: Pick<EventsState, 'status'>) {
  return (
    <span className={`live-mark ${status}`} role="status">
      {TEXTS[status]}
    </span>
  );
}

/** Reports that the server does not answer while a request waits. */
export function SilenceNotice() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => onSilence(setSeconds), []);
  if (seconds === 0) return null;
  return (
    <p className="notice" role="status">
      The server has not answered for {seconds} s. The page still waits.
    </p>
  );
}
