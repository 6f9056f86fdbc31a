import { useMemo, useState } from 'react';
import type { CombinedError } from 'urql';
import type { EventsState } from '../../api/events';
import { useLiveQuery } from '../../api/useLiveQuery';
import { HostChangesDocument, HostDocument, type HostQuery } from '../../generated/host/operations';
import type { HeardChange } from './changeList';
import { providerBy } from './providerBy';

const MOST_CHANGES = 50;

export interface HostState extends Pick<EventsState, 'status'> {
  readonly provider: HostQuery['resourceProvider'] | undefined;
  readonly error: CombinedError | undefined;
  /** The changes since the view was opened, the latest first. */
  readonly changes: readonly HeardChange[];
}

/** Returns a provider with its whole tree, and updates it by events. */
export function useHost(uuidOrName: string): HostState {
  const variables = useMemo(() => ({ by: providerBy(uuidOrName) }), [uuidOrName]);
  const tree = useMemo(() => ({ inTree: variables.by }), [variables]);
  const [changes, setChanges] = useState<readonly HeardChange[]>([]);
  const { data, error, status } = useLiveQuery({
    query: HostDocument,
    variables,
    events: HostChangesDocument,
    eventVariables: tree,
    onEvent({ resourceProviderChanged: change }) {
      const heard = { change, at: new Date().toISOString() };
      setChanges((before) => [heard, ...before].slice(0, MOST_CHANGES));
    },
  });
  return { provider: data?.resourceProvider, error, status, changes };
}
