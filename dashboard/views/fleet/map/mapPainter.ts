import type { Projection, Size } from './camera';
import type { Cell, Layout } from './layout';

/** The positions and the appearance of the hosts. */
export interface Scene {
  readonly layout: Layout;
  /** The index of the colour in `colours`, by host. */
  readonly steps: Uint8Array;
  readonly colours: readonly string[];
  /** The highlighted hosts; all others are faded. Null: no host is faded. */
  readonly highlighted: ReadonlySet<number> | null;
  /** The hosts in maintenance. */
  readonly crossed: readonly Cell[];
  /** The selected hosts. */
  readonly marked: readonly Cell[];
  /** The name and the share of each group. */
  readonly labels: readonly { readonly name: string; readonly share: string }[];
  readonly ink: string;
}

/**
 * The maximum number of pixels of the cached picture. A larger picture is painted for each frame,
 * because only a small part of it is visible.
 */
const LARGEST_PICTURE = 2_500_000;

/** From this radius on (pixels) hexagons have a gap between them. */
const GAP_FROM = 2.5;
const FADED = 0.18;
const CORNERS = Array.from({ length: 6 }, (_, corner) => {
  const angle = (Math.PI / 3) * corner - Math.PI / 2;
  return [Math.cos(angle), Math.sin(angle)] as const;
});

/**
 * Paints hexagons, colour by colour. Caches the picture of the whole layout and only shifts it
 * while it is dragged. The shift takes the same time for any number of hexagons.
 */
export class MapPainter {
  private readonly context: CanvasRenderingContext2D;
  private readonly picture = document.createElement('canvas');
  /** The scene, the scale and the pixel ratio of the cached picture. */
  private pictured: { readonly scene: Scene; readonly scale: number; readonly ratio: number } | null = null;
  private ratio = 1;
  private size: Size = { width: 0, height: 0 };

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext('2d')!;
  }

  resize(size: Size): void {
    this.size = size;
    this.ratio = devicePixelRatio;
    this.canvas.width = Math.round(size.width * this.ratio);
    this.canvas.height = Math.round(size.height * this.ratio);
  }

  paint(scene: Scene, projection: Projection, focused: Cell | null): void {
    const { context, ratio, size } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    const { scale } = projection;
    const area = scene.layout.width * scene.layout.height * (scale * ratio) ** 2;
    if (area <= LARGEST_PICTURE) this.shiftPicture(scene, projection);
    else paintCells(context, scene, scene.layout.cells, projection, size);
    paintCrosses(context, scene, projection);
    paintLabels(context, scene, projection, size);
    for (const cell of scene.marked) paintOutline(context, scene, projection, cell, 3);
    if (focused) paintOutline(context, scene, projection, focused, 2);
  }

  private shiftPicture(scene: Scene, { scale, left, top }: Projection): void {
    const { context, picture, pictured, ratio } = this;
    if (pictured?.scene !== scene || pictured.scale !== scale || pictured.ratio !== ratio) {
      const isSamePlace = pictured?.scale === scale && pictured.ratio === ratio;
      if (isSamePlace && isSameButSteps(pictured.scene, scene))
        this.repaintChanges(pictured.scene, scene, scale);
      else this.repaintPicture(scene, scale);
      this.pictured = { scene, scale, ratio };
    }
    context.drawImage(picture, left, top, picture.width / ratio, picture.height / ratio);
  }

  private repaintPicture(scene: Scene, scale: number): void {
    const { picture, ratio } = this;
    const width = scene.layout.width * scale;
    const height = scene.layout.height * scale;
    picture.width = Math.ceil(width * ratio);
    picture.height = Math.ceil(height * ratio);
    const context = picture.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintCells(context, scene, scene.layout.cells, { scale, left: 0, top: 0 }, { width, height });
  }

  private repaintChanges(before: Scene, after: Scene, scale: number): void {
    const { picture } = this;
    const context = picture.getContext('2d')!;
    const changed = after.layout.cells.filter(({ host }) => before.steps[host] !== after.steps[host]);
    const projection = { scale, left: 0, top: 0 };
    context.globalCompositeOperation = 'destination-out';
    fillHexagons(context, changed, projection);
    context.globalCompositeOperation = 'source-over';
    paintCells(context, after, changed, projection, { width: picture.width, height: picture.height });
  }
}

const isSameButSteps = (one: Scene, other: Scene): boolean =>
  one.layout === other.layout && one.colours === other.colours && one.highlighted === other.highlighted;

function paintCells(
  context: CanvasRenderingContext2D,
  { steps, colours, highlighted }: Scene,
  cells: readonly Cell[],
  projection: Projection,
  { width, height }: Size,
): void {
  const { scale, left, top } = projection;
  const bright = colours.map((): Cell[] => []);
  const faded = colours.map((): Cell[] => []);
  for (const cell of cells) {
    const x = cell.x * scale + left;
    const y = cell.y * scale + top;
    if (x < -scale || y < -scale || x > width + scale || y > height + scale) continue;
    const paths = highlighted === null || highlighted.has(cell.host) ? bright : faded;
    paths[steps[cell.host]].push(cell);
  }
  colours.forEach((colour, step) => {
    context.fillStyle = colour;
    context.globalAlpha = 1;
    fillHexagons(context, bright[step], projection);
    context.globalAlpha = FADED;
    fillHexagons(context, faded[step], projection);
  });
  context.globalAlpha = 1;
}

/**
 * Fills a path per hexagon. One path per colour takes six times as long without a graphics card.
 */
function fillHexagons(
  context: CanvasRenderingContext2D,
  cells: readonly Cell[],
  projection: Projection,
): void {
  for (const cell of cells) {
    traceHexagon(context, cell, projection);
    context.fill();
  }
}

/** Begins a path around a hexagon. */
function traceHexagon(
  context: CanvasRenderingContext2D,
  { x, y }: Cell,
  { scale, left, top }: Projection,
): void {
  const radius = scale < GAP_FROM ? scale : scale * 0.92;
  const centreX = x * scale + left;
  const centreY = y * scale + top;
  context.beginPath();
  for (const [corner, [cosine, sine]] of CORNERS.entries()) {
    if (corner === 0) context.moveTo(centreX + radius * cosine, centreY + radius * sine);
    else context.lineTo(centreX + radius * cosine, centreY + radius * sine);
  }
  context.closePath();
}

function paintOutline(
  context: CanvasRenderingContext2D,
  { ink }: Scene,
  projection: Projection,
  cell: Cell,
  width: number,
): void {
  traceHexagon(context, cell, projection);
  context.strokeStyle = ink;
  context.lineWidth = width;
  context.stroke();
}

function paintCrosses(
  context: CanvasRenderingContext2D,
  { crossed, ink }: Scene,
  { scale, left, top }: Projection,
): void {
  const arm = scale * 0.45;
  context.strokeStyle = ink;
  context.lineWidth = Math.max(scale * 0.12, 1);
  context.beginPath();
  for (const cell of crossed) {
    const x = cell.x * scale + left;
    const y = cell.y * scale + top;
    context.moveTo(x - arm, y - arm);
    context.lineTo(x + arm, y + arm);
    context.moveTo(x + arm, y - arm);
    context.lineTo(x - arm, y + arm);
  }
  context.stroke();
}

const LARGEST_LABEL = 13;
const SMALLEST_LABEL = 8;

/**
 * Paints the name and the share of each group, or only the share if both would be too small to
 * read.
 */
function paintLabels(
  context: CanvasRenderingContext2D,
  { layout, labels, ink }: Scene,
  { scale, left, top }: Projection,
  { width, height }: Size,
): void {
  context.fillStyle = ink;
  for (const label of layout.labels) {
    const room = label.width * scale;
    const { name, share } = labels[label.group];
    const isShort = room * 0.14 < SMALLEST_LABEL;
    const font = Math.min(LARGEST_LABEL, room * (isShort ? 0.35 : 0.14));
    const x = label.x * scale + left;
    const y = label.y * scale + top;
    if (font < SMALLEST_LABEL || x > width || x + room < 0 || y < 0 || y > height + font) continue;
    context.font = `500 ${font}px system-ui, sans-serif`;
    context.fillText(isShort ? share : `${name} ${share}`, x, y, room);
  }
}
