import type { Layout } from './layout';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The visible part of a layout. `zoom` is relative to the whole layout. The point in the middle of
 * the screen is given as shares of the layout's size.
 */
export interface Camera {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** Converts units of a layout to pixels: multiply by `scale`, then add `left` or `top`. */
export interface Projection {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export const WHOLE: Camera = { zoom: 1, x: 0.5, y: 0.5 };

const LARGEST_CELL = 72;
const MARGIN = 12;

export function project({ width, height }: Layout, camera: Camera, screen: Size): Projection {
  const scale = camera.zoom * fittingScale({ width, height }, screen);
  return {
    scale,
    left: screen.width / 2 - camera.x * width * scale,
    top: screen.height / 2 - camera.y * height * scale,
  };
}

/** Limits the scale, so that the hexagons of a small fleet do not become too large. */
function fittingScale({ width, height }: Size, screen: Size): number {
  const fitting = Math.min((screen.width - 2 * MARGIN) / width, (screen.height - 2 * MARGIN) / height);
  return Math.max(Math.min(fitting, LARGEST_CELL / 2), 0.1);
}

/** Zooms by a factor. The point under the pointer stays in its position. */
export function zoomAt(camera: Camera, factor: number, pointer: Pixel, layout: Layout, screen: Size): Camera {
  const { scale } = project(layout, camera, screen);
  const zoom = Math.min(Math.max(camera.zoom * factor, 1), Math.max((LARGEST_CELL * camera.zoom) / scale, 1));
  const change = (1 - camera.zoom / zoom) / scale;
  return within({
    zoom,
    x: camera.x + ((pointer.x - screen.width / 2) * change) / layout.width,
    y: camera.y + ((pointer.y - screen.height / 2) * change) / layout.height,
  });
}

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Moves the picture by a distance in pixels. */
export function panBy(camera: Camera, by: Pixel, layout: Layout, screen: Size): Camera {
  const { scale } = project(layout, camera, screen);
  return within({
    ...camera,
    x: camera.x - by.x / scale / layout.width,
    y: camera.y - by.y / scale / layout.height,
  });
}

/** Zooms in on a point of the layout. */
export function lookAt(place: Pixel, layout: Layout, screen: Size): Camera {
  const { scale } = project(layout, WHOLE, screen);
  return within({ zoom: Math.max(20 / scale, 1), x: place.x / layout.width, y: place.y / layout.height });
}

/** Keeps the camera within the edges of the layout. The whole layout is centred. */
function within({ zoom, x, y }: Camera): Camera {
  const reach = 0.5 * (1 - 1 / zoom) + (zoom > 1 ? 0.05 : 0);
  const clamp = (value: number): number => Math.min(Math.max(value, 0.5 - reach), 0.5 + reach);
  return { zoom, x: clamp(x), y: clamp(y) };
}

/** Writes a camera in the format of the address, such as `3.20,0.4100,0.7700`. */
export const writeCamera = ({ zoom, x, y }: Camera): string =>
  zoom === 1 ? '' : [zoom.toFixed(2), x.toFixed(4), y.toFixed(4)].join(',');

export function readCamera(text: string): Camera {
  const [zoom, x, y] = text.split(',').map(Number);
  return zoom > 1 && Number.isFinite(x) && Number.isFinite(y) ? within({ zoom, x, y }) : WHOLE;
}
