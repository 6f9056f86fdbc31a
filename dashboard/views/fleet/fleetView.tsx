import { lazy, Suspense, useDeferredValue, useMemo, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useAddressState } from '../../components/addressState';
import { hostPath } from '../../components/hostPath';
import { SearchBox } from '../../components/searchBox';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { ViewHead } from '../../components/viewHead';
import { useViewer } from '../../api/viewer';
import { ClassPanel } from './classPanel';
import { EmptyFleet } from './emptyFleet';
import { FitPanel } from './fit/fitPanel';
import type { FleetData } from './fleetData';
import { STANDARD_FLAVORS } from './fit/flavors';
import { STANDARD_GROUPING } from './grouping';
import { GroupingSelect } from './groupingSelect';
import { Honeycomb, type HoneycombHandle } from './map/honeycomb';
import { HostList } from './hostList';
import { useSelection, type Selection } from './selection/selection';
import { useFleet } from './useFleet';
import './fleet.css';

const SelectionPanel = lazy(() => import('./selection/selectionPanel'));

/** Shows all hosts by their usage of a class, and the totals of the fleet. */
export function FleetView() {
  const [resourceClass, setResourceClass] = useAddressState('class', 'VCPU');
  const [grouping, setGrouping] = useAddressState('group', STANDARD_GROUPING);
  const [search, setSearch] = useAddressState('search');
  const [order, setOrder] = useAddressState('order', '-share');
  const [camera, setCamera] = useAddressState('view');
  const [flavors, setFlavors] = useAddressState('flavors', STANDARD_FLAVORS);
  const [, navigate] = useLocation();
  const { data, totals, error, status } = useFleet(resourceClass, grouping);
  const names = data?.names;
  const found = useMemo(() => (names && search !== '' ? findHosts(names, search) : null), [names, search]);
  const selection = useSelection();
  const { isOn, toggle } = selection;
  const marks = useMarks(selection, found, data);
  // both change in one render: `found` has positions in `data`
  const listed = useDeferredValue(data);
  const listedFound = useDeferredValue(found);
  const map = useRef<HoneycombHandle>(null);
  return (
    <div className="fleet">
      <div className="fleet-main">
        <FleetHead
          status={status}
          grouping={grouping}
          onGrouping={setGrouping}
          search={search}
          onSearch={setSearch}
          onSearched={() => found && map.current?.lookAtHost([...found][0])}
          foundCount={found?.size ?? null}
          selection={selection}
        />
        {isOn && data && (
          <Suspense fallback={<LoadingState />}>
            <SelectionPanel data={data} found={found} selection={selection} />
          </Suspense>
        )}
        <div className="panel map-panel">
          <MapArea data={data} totals={totals} error={error} resourceClass={resourceClass}>
            {(shown) => (
              <Honeycomb
                ref={map}
                data={shown}
                resourceClass={resourceClass}
                {...marks}
                camera={camera}
                onCamera={setCamera}
                onOpen={(host) => (isOn ? toggle(shown.names[host]) : navigate(hostPath(shown.names[host])))}
              />
            )}
          </MapArea>
        </div>
      </div>
      <aside className="fleet-side" aria-label="Capacity">
        <ClassPanel totals={totals} chosen={resourceClass} onChoose={setResourceClass} />
        <FitPanel flavors={flavors} onFlavors={setFlavors} selection={selection} />
      </aside>
      {listed && listed.names.length > 0 && (
        <HostList
          data={listed}
          resourceClass={resourceClass}
          found={listedFound}
          order={order}
          onOrder={setOrder}
          isSelecting={isOn}
          selected={marks.selected}
          onSelect={toggle}
          onShow={(host) => {
            map.current?.lookAtHost(host);
            document.querySelector<HTMLElement>('.honeycomb')?.focus();
          }}
        />
      )}
    </div>
  );
}

interface FleetHeadProps extends Pick<ReturnType<typeof useFleet>, 'status'> {
  readonly grouping: string;
  readonly onGrouping: (grouping: string) => void;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** Called when the user ends the search. */
  readonly onSearched: () => void;
  /** Null without a search. */
  readonly foundCount: number | null;
  readonly selection: Pick<Selection, 'isOn' | 'setOn'>;
}

/** The controls of the map. */
function FleetHead({ status, grouping, onGrouping, foundCount, selection, ...more }: FleetHeadProps) {
  const { may } = useViewer();
  return (
    <ViewHead title="Fleet" status={status}>
      <GroupingSelect grouping={grouping} onGrouping={onGrouping} />
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          more.onSearched();
        }}
      >
        <SearchBox label="Search hosts" value={more.search} onChange={more.onSearch} />
      </form>
      <span className="found muted" role="status">
        {foundCount !== null && `${foundCount} found`}
      </span>
      {may('edit') && <Link href="/new-host">Add a host</Link>}
      <Link href="/drain">Drain hosts</Link>
      <button
        type="button"
        className="small"
        aria-pressed={selection.isOn}
        onClick={() => selection.setOn(!selection.isOn)}
      >
        Select hosts
      </button>
    </ViewHead>
  );
}

interface MapAreaProps extends Pick<ReturnType<typeof useFleet>, 'data' | 'totals' | 'error'> {
  readonly resourceClass: string;
  readonly children: (data: FleetData) => React.ReactNode;
}

/** Shows the map, or the reason why there is none. */
function MapArea({ data, totals, error, resourceClass, children }: MapAreaProps) {
  if (error && !data) return <ErrorState error={error} />;
  if (!data) return <LoadingState />;
  if (totals?.length === 0) return <EmptyFleet />;
  if (data.names.length === 0) return <EmptyState title={`No host has ${resourceClass}.`} />;
  return children(data);
}

const NONE: readonly string[] = [];

/** Returns the hosts that the map highlights, and the selected ones. */
function useMarks(
  { isOn, hosts, fleet }: Selection,
  found: ReadonlySet<number> | null,
  data: FleetData | null,
) {
  const selected = useIndices(isOn ? hosts : NONE, data);
  const removed = useIndices(fleet.without, data);
  const highlighted = useMemo(() => without(found, removed, data), [found, removed, data]);
  return { selected, highlighted };
}

/** Returns the indices of hosts; null without any names. */
function useIndices(names: readonly string[], data: FleetData | null): ReadonlySet<number> | null {
  const key = names.join('\n');
  const indices = data?.indices;
  return useMemo(
    () => (key === '' ? null : new Set(key.split('\n').flatMap((name) => indices?.get(name) ?? []))),
    [key, indices],
  );
}

/** Returns the hosts to highlight: the found ones, without those that are imagined away. */
function without(
  found: ReadonlySet<number> | null,
  removed: ReadonlySet<number> | null,
  data: FleetData | null,
): ReadonlySet<number> | null {
  if (removed === null || data === null) return found;
  const shown = found ?? data.names.keys();
  return new Set(Array.from(shown).filter((host) => !removed.has(host)));
}

/** Returns the hosts whose name contains a text. The case is ignored. */
function findHosts(names: readonly string[], search: string): ReadonlySet<number> {
  const wanted = search.toLowerCase();
  return new Set(names.flatMap((name, host) => (name.toLowerCase().includes(wanted) ? [host] : [])));
}
