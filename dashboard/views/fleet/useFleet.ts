import { useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from 'urql';
import { useEvents, type EventsState } from '../../api/events';
import { FleetChangesDocument } from '../../generated/fleet/operations';
import { FleetFeed, type FleetState } from './fleetFeed';
import { parseGrouping } from './grouping';

const NO_VARIABLES = {};
const NOTHING: FleetState = { data: null, totals: null, error: null };

/** Returns the live fleet by one class. Shows the previous data until the new data arrives. */
export function useFleet(resourceClass: string, grouping: string): FleetState & Pick<EventsState, 'status'> {
  const client = useClient();
  const [state, setState] = useState(NOTHING);
  const feed = useRef<FleetFeed>(null);
  const { status, openings } = useEvents(FleetChangesDocument, NO_VARIABLES, (event) =>
    feed.current?.hear(event),
  );
  const parsed = useMemo(() => parseGrouping(grouping), [grouping]);
  useEffect(() => {
    const made = new FleetFeed(client, resourceClass, parsed, (news) =>
      setState((before) => ({ ...before, ...news })),
    );
    feed.current = made;
    made.readAfresh();
    return () => made.stop();
  }, [client, resourceClass, parsed]);
  useEffect(() => {
    // a stream omits events from before it was open, so the feed reads everything again
    if (openings > 0) feed.current?.readAfresh();
  }, [openings]);
  return { ...state, status };
}
