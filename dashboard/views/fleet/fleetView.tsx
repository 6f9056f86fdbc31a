import { lazy, Suspense, useDeferredValue, useMemo, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useAddressState } from '../../components/addressState';
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
import { useSelection } from './selection/selection';
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
  const { may } = useViewer();
  const { data, totals, error, status } = useFleet(resourceClass, grouping);
  const names = data?.names;
  const found = useMemo(() => (names && search !== '' ? findHosts(names, search) : null), [names, search]);
  const selection = useSelection();
  const { isOn, hosts, toggle, fleet } = selection;
  const selected = useIndices(isOn ? hosts : NONE, data);
  const removed = useIndices(fleet.without, data);
  const highlighted = useMemo(() => without(found, removed, data), [found, removed, data]);
  const listed = useDeferredValue(data);
  const map = useRef<HoneycombHandle>(null);
  const showFirst = (): void => {
    const [first] = found ?? [];
    if (first !== undefined) map.current?.lookAtHost(first);
  };
  return (
    <div className="fleet">
      <div className="fleet-main">
        <ViewHead title="Fleet" status={status}>
          <GroupingSelect grouping={grouping} onGrouping={setGrouping} />
          <form
            role="search"
            onSubmit={(event) => {
              event.preventDefault();
              showFirst();
            }}
          >
            <SearchBox label="Search hosts" value={search} onChange={setSearch} />
          </form>
          <span className="found muted" role="status">
            {found && `${found.size} found`}
          </span>
          {may('edit') && <Link href="/new-host">Add a host</Link>}
          <Link href="/drain">Drain hosts</Link>
          <button type="button" className="small" aria-pressed={isOn} onClick={() => selection.setOn(!isOn)}>
            Select hosts
          </button>
        </ViewHead>
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
                highlighted={highlighted}
                selected={selected}
                camera={camera}
                onCamera={setCamera}
                onOpen={(host) =>
                  isOn
                    ? toggle(shown.names[host])
                    : navigate(`/hosts/${encodeURIComponent(shown.names[host])}`)
                }
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
          found={found}
          order={order}
          onOrder={setOrder}
          isSelecting={isOn}
          selected={selected}
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
