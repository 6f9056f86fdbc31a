import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react';
import { formatAmount, formatCount, formatShare, formatSize } from '../../../components/format';
import { useTheme } from '../../../components/theme';
import { readCamera, writeCamera, type Pixel } from './camera';
import { shareOf, shareOfGroup, type FleetData } from '../fleetData';
import { Legend } from './legend';
import { layOut, type Cell } from './layout';
import { MapControl } from './mapControl';
import type { Scene } from './mapPainter';
import { SCALES, stepOf } from './scale';

/** The operations of the map for other parts of the view. */
export interface HoneycombHandle {
  readonly lookAtHost: (host: number) => void;
}

interface HoneycombProps {
  readonly data: FleetData;
  readonly resourceClass: string;
  readonly highlighted: ReadonlySet<number> | null;
  /** The selected hosts. */
  readonly selected: ReadonlySet<number> | null;
  /** The camera in the format of writeCamera. */
  readonly camera: string;
  readonly onCamera: (camera: string) => void;
  readonly onOpen: (host: number) => void;
  readonly ref: Ref<HoneycombHandle>;
}

interface Focus {
  readonly cell: Cell;
  readonly place: Pixel;
}

const INKS = { light: '#1b2126', dark: '#e6eaed' } as const;

/** All hosts as hexagons, coloured by the share that is in use. */
export function Honeycomb({
  data,
  resourceClass,
  highlighted,
  selected,
  camera,
  onCamera,
  onOpen,
  ref,
}: HoneycombProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const control = useRef<MapControl>(null);
  const [focus, setFocus] = useState<Focus | null>(null);
  const scene = useScene(data, highlighted, selected, useAspect(canvas));
  const latest = useRef({ scene, camera, onCamera, onOpen });
  useLayoutEffect(() => {
    latest.current = { scene, camera, onCamera, onOpen };
  });
  useEffect(() => {
    const { scene: first, camera: begin } = latest.current;
    const made = new MapControl(canvas.current!, first, readCamera(begin), {
      onFocus: (cell, place) => setFocus(cell && place && { cell, place }),
      onOpen: ({ host }) => latest.current.onOpen(host),
      onCamera: (moved) => latest.current.onCamera(writeCamera(moved)),
    });
    control.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => control.current?.show(scene), [scene]);
  useEffect(() => control.current?.look(readCamera(camera)), [camera]);
  useImperativeHandle(ref, () => ({ lookAtHost: (host) => control.current?.lookAtHost(host) }), []);
  return (
    <>
      <div
        className="honeycomb"
        role="application"
        aria-label={`Map of ${formatCount(data.names.length, 'host')} by use of ${resourceClass}. Arrow keys go from host to host, Enter opens or selects one, plus, minus and 0 zoom.`}
        tabIndex={0}
        onKeyDown={(event) => {
          const isShortcut = event.altKey || event.ctrlKey || event.metaKey;
          const isForMap = event.target === event.currentTarget && !isShortcut;
          if (isForMap && control.current?.press(event.key)) event.preventDefault();
        }}
      >
        <canvas ref={canvas} role="img" aria-label={summaryOf(data, resourceClass)} />
        <HostTip data={data} resourceClass={resourceClass} selected={selected} focus={focus} />
      </div>
      <div className="map-foot">
        <Legend />
        <div className="zoom-buttons">
          <button
            type="button"
            className="small"
            aria-label="Zoom in"
            onClick={() => control.current?.zoomBy(1.5)}
          >
            +
          </button>
          <button
            type="button"
            className="small"
            aria-label="Zoom out"
            onClick={() => control.current?.zoomBy(1 / 1.5)}
          >
            −
          </button>
          <button
            type="button"
            className="small"
            aria-label="Show all"
            onClick={() => control.current?.press('0')}
          >
            ⤢
          </button>
        </div>
      </div>
    </>
  );
}

/** Returns the scene to draw. Each different picture has its own object. */
function useScene(
  data: FleetData,
  highlighted: ReadonlySet<number> | null,
  selected: ReadonlySet<number> | null,
  aspect: number,
): Scene {
  const theme = useTheme();
  const layout = useMemo(() => layOut(data.groups, aspect), [data.groups, aspect]);
  return useMemo(() => {
    const steps = Uint8Array.from(data.names, (_name, host) => stepOf(shareOf(data, host)));
    const crossed = layout.cells.filter(({ host }) => data.inMaintenance.has(host));
    const marked = selected === null ? [] : layout.cells.filter(({ host }) => selected.has(host));
    const labels = data.groups.map((group) => ({
      name: group.label,
      share: formatShare(shareOfGroup(data, group)),
    }));
    return { layout, steps, colours: SCALES[theme], highlighted, crossed, marked, labels, ink: INKS[theme] };
  }, [data, layout, highlighted, selected, theme]);
}

/**
 * Returns the aspect ratio of the canvas in steps, so that small changes of the window do not move
 * the hosts.
 */
function useAspect(canvas: { readonly current: HTMLCanvasElement | null }): number {
  const [aspect, setAspect] = useState(1.4);
  useLayoutEffect(() => {
    const measure = (): void => {
      const { clientWidth, clientHeight } = canvas.current!;
      setAspect(Math.max(Math.round((clientWidth / Math.max(clientHeight, 1)) * 5) / 5, 0.4));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(canvas.current!);
    measure();
    return () => observer.disconnect();
  }, [canvas]);
  return aspect;
}

function summaryOf(data: FleetData, resourceClass: string): string {
  const full = data.names.filter((_name, host) => (shareOf(data, host) ?? 0) >= 1).length;
  return `${formatCount(data.names.length, 'host')} with ${resourceClass}, ${formatAmount(full)} of them full`;
}

interface HostTipProps {
  readonly data: FleetData;
  readonly resourceClass: string;
  readonly selected: ReadonlySet<number> | null;
  readonly focus: Focus | null;
}

/** Describes the host under the pointer, or the one that the keys selected. */
function HostTip({ data, resourceClass, selected, focus }: HostTipProps) {
  const host = focus?.cell.host ?? -1;
  const style = focus ? { left: focus.place.x, top: focus.place.y } : undefined;
  return (
    <div className="host-tip" role="status" style={style} hidden={host < 0 || host >= data.names.length}>
      {host >= 0 && host < data.names.length && (
        <>
          <strong>{data.names[host]}</strong>
          <span>
            {formatShare(shareOf(data, host))} · {formatSize(resourceClass, data.used[host])} of{' '}
            {formatSize(resourceClass, data.capacities[host])} {resourceClass}
            {data.inMaintenance.has(host) && ' · in maintenance'}
            {selected?.has(host) && ' · selected'}
          </span>
        </>
      )}
    </div>
  );
}
