import { lookAt, panBy, project, WHOLE, zoomAt, type Camera, type Pixel, type Size } from './camera';
import type { Cell } from './layout';
import { MapPainter, type Scene } from './mapPainter';

export interface MapListener {
  /**
   * Called when the pointer or the keys focus a host or leave it (null). `place` is its position on
   * the screen.
   */
  readonly onFocus: (cell: Cell | null, place: Pixel | null) => void;
  readonly onOpen: (cell: Cell) => void;
  /** Called when the camera has come to rest in a new position. */
  readonly onCamera: (camera: Camera) => void;
}

/** A pointer that has moved farther (pixels) drags, and does not click. */
const CLICK_REACH = 4;
/** The time without movement after which the camera counts as at rest (ms). */
const REST_MS = 250;
const KEY_ZOOM = 1.5;

/**
 * Controls the map on its canvas by pointer, wheel, fingers and keys. Draws at most once per frame.
 */
export class MapControl {
  private readonly painter: MapPainter;
  private readonly abort = new AbortController();
  private readonly observer: ResizeObserver;
  private readonly pointers = new Map<number, Pixel>();
  private size: Size = { width: 1, height: 1 };
  private focused: Cell | null = null;
  private hovered: Pixel | null = null;
  private pointed: Cell | null = null;
  private travelled = 0;
  private frame = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private scene: Scene,
    private camera: Camera,
    private readonly listener: MapListener,
  ) {
    this.painter = new MapPainter(canvas);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas);
    this.resize();
    performance.mark('map-painted'); // test/dashboard/largeFleet.test.ts measures this time
    this.listen();
  }

  destroy(): void {
    this.abort.abort();
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
  }

  show(scene: Scene): void {
    const { focused } = this;
    const isMoved = scene.layout !== this.scene.layout;
    this.scene = scene;
    if (isMoved && focused) this.focus(scene.layout.cells.find(({ host }) => host === focused.host) ?? null);
    this.draw();
  }

  look(camera: Camera): void {
    this.camera = camera;
    this.notifyFocus(); // the focused host has another position on the screen
    this.draw();
  }

  lookAtHost(host: number): void {
    const cell = this.scene.layout.cells.find((one) => one.host === host);
    if (!cell) return;
    this.move(lookAt(cell, this.scene.layout, this.size));
    this.focus(cell);
  }

  /** Handles a key by its name. Returns false if the map does not use the key. */
  press(key: string): boolean {
    const direction = ARROWS[key];
    if (direction) this.focusNext(direction);
    else if (key === '+' || key === '=') this.zoom(KEY_ZOOM, this.place() ?? this.middle);
    else if (key === '-') this.zoom(1 / KEY_ZOOM, this.place() ?? this.middle);
    else if (key === '0') this.move(WHOLE);
    else if (key === 'Escape') this.focus(null);
    else if (key === 'Enter' && this.focused) this.listener.onOpen(this.focused);
    else return false;
    return true;
  }

  zoomBy(factor: number): void {
    this.zoom(factor, this.middle);
  }

  private get middle(): Pixel {
    return { x: this.size.width / 2, y: this.size.height / 2 };
  }

  private listen(): void {
    const { canvas } = this;
    const options = { signal: this.abort.signal };
    canvas.addEventListener('pointerdown', (event) => this.onDown(event), options);
    canvas.addEventListener('pointermove', (event) => this.onMove(event), options);
    canvas.addEventListener('pointerup', (event) => this.onUp(event), options);
    canvas.addEventListener('pointercancel', ({ pointerId }) => this.pointers.delete(pointerId), options);
    canvas.addEventListener('pointerleave', () => this.leave(), options);
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY / 400), pixelOf(event));
      },
      { ...options, passive: false },
    );
  }

  private onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    if (this.pointers.size === 0) this.travelled = 0;
    this.pointers.set(event.pointerId, pixelOf(event));
  }

  private onMove(event: PointerEvent): void {
    const to = pixelOf(event);
    const from = this.pointers.get(event.pointerId);
    if (!from) return this.hover(to);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.travelled += distance(from, to);
    this.pointers.set(event.pointerId, to);
    if (other) this.zoom(distance(to, other) / Math.max(distance(from, other), 1), other);
    else if (this.travelled > CLICK_REACH) this.pan({ x: to.x - from.x, y: to.y - from.y });
  }

  /**
   * The browser repeats events of a resting pointer when the page changes below it. Such an event
   * does not change the focus.
   */
  private hover(to: Pixel): void {
    if (this.hovered && distance(this.hovered, to) === 0) return;
    this.hovered = to;
    this.pointed = this.cellAt(to);
    this.focus(this.pointed);
  }

  /** Keeps the focus if the keys have moved it since. */
  private leave(): void {
    if (this.focused === this.pointed) this.focus(null);
  }

  private onUp(event: PointerEvent): void {
    const isClick = this.pointers.size === 1 && this.travelled <= CLICK_REACH;
    this.pointers.delete(event.pointerId);
    const cell = isClick ? this.cellAt(pixelOf(event)) : null;
    if (cell) this.listener.onOpen(cell);
  }

  private pan(by: Pixel): void {
    this.move(panBy(this.camera, by, this.scene.layout, this.size));
    this.focus(null);
  }

  private zoom(factor: number, at: Pixel): void {
    this.move(zoomAt(this.camera, factor, at, this.scene.layout, this.size));
  }

  private move(camera: Camera): void {
    this.look(camera);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.listener.onCamera(this.camera), REST_MS);
  }

  private focus(cell: Cell | null): void {
    if (cell === this.focused) return;
    this.focused = cell;
    this.listener.onFocus(cell, this.place());
    this.draw();
  }

  private notifyFocus(): void {
    if (this.focused) this.listener.onFocus(this.focused, this.place());
  }

  /** Returns the position of the focused host on the screen. */
  private place(): Pixel | null {
    if (!this.focused) return null;
    const { scale, left, top } = project(this.scene.layout, this.camera, this.size);
    return { x: this.focused.x * scale + left, y: this.focused.y * scale + top };
  }

  private cellAt({ x, y }: Pixel): Cell | null {
    const { scale, left, top } = project(this.scene.layout, this.camera, this.size);
    const place = { x: (x - left) / scale, y: (y - top) / scale };
    return this.scene.layout.cells.find((cell) => distance(cell, place) < 0.95) ?? null;
  }

  /** Focuses the nearest host in a direction, or the first host if none has the focus. */
  private focusNext(direction: Pixel): void {
    const { cells } = this.scene.layout;
    const from = this.focused;
    if (!from) return this.focus(cells[0] ?? null);
    let next: Cell | null = null;
    let least = Infinity;
    for (const cell of cells) {
      const ahead = (cell.x - from.x) * direction.x + (cell.y - from.y) * direction.y;
      const aside = Math.abs((cell.x - from.x) * direction.y) + Math.abs((cell.y - from.y) * direction.x);
      const effort = ahead + 2 * aside;
      if (ahead > 0.1 && effort < least) [next, least] = [cell, effort];
    }
    this.focus(next ?? from);
    this.keepInSight();
  }

  private keepInSight(): void {
    const { x, y } = this.place() ?? this.middle;
    const outside = x < 0 || y < 0 || x > this.size.width || y > this.size.height;
    if (!outside) return;
    const by = { x: this.middle.x - x, y: this.middle.y - y };
    this.move(panBy(this.camera, by, this.scene.layout, this.size));
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.size = { width, height };
    this.painter.resize(this.size);
    this.notifyFocus();
    this.paint(); // immediately, because resizing clears the canvas
  }

  private draw(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { scene, camera, size } = this;
    this.painter.paint(scene, project(scene.layout, camera, size), this.focused);
  }
}

const ARROWS: Readonly<Record<string, Pixel | undefined>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

const pixelOf = ({ offsetX, offsetY }: MouseEvent): Pixel => ({ x: offsetX, y: offsetY });

const distance = (one: Pixel, other: Pixel): number => Math.hypot(one.x - other.x, one.y - other.y);
