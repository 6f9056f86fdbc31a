/** A line of a picture: values over time (seconds). */
export interface Line {
  readonly name: string;
  readonly points: readonly { readonly at: number; readonly value: number }[];
}

export interface Picture {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

const [WIDTH, HEIGHT] = [720, 240];
const FRAME = { left: 64, right: 16, top: 44, bottom: 32 };
const COLOURS = ['#2a6fbb', '#c2571a', '#3d8b4f', '#8256a8'];

/** Draws lines over time as SVG, from zero up, readable on a light and on a dark page. */
export function svgOf({ title, unit, lines }: Picture): string {
  const points = lines.flatMap(({ points: all }) => all);
  const end = Math.max(...points.map(({ at }) => at));
  const top = niceAbove(Math.max(...points.map(({ value }) => value)));
  const x = (at: number): string => (FRAME.left + (at / end) * (WIDTH - FRAME.left - FRAME.right)).toFixed(1);
  const y = (value: number): string =>
    (HEIGHT - FRAME.bottom - (value / top) * (HEIGHT - FRAME.top - FRAME.bottom)).toFixed(1);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => share * top);
  const minutes = Array.from({ length: Math.floor(end / 60 / 5) + 1 }, (_, at) => at * 5);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">`,
    '<style>text { fill: #444 } .grid { stroke: #8884 } @media (prefers-color-scheme: dark) { text { fill: #ccc } }</style>',
    `<text x="${FRAME.left}" y="16" font-size="14">${title}</text>`,
    ...lines.map(
      ({ name }, at) =>
        `<text x="${FRAME.left + at * 160}" y="34" style="fill: ${COLOURS[at]}">${name}</text>`,
    ),
    ...ticks.map(
      (tick) =>
        `<path class="grid" d="M${FRAME.left} ${y(tick)}H${WIDTH - FRAME.right}"/>` +
        `<text x="${FRAME.left - 6}" y="${y(tick)}" text-anchor="end" dominant-baseline="middle">${label(tick)} ${unit}</text>`,
    ),
    ...minutes.map(
      (minute) => `<text x="${x(minute * 60)}" y="${HEIGHT - 10}" text-anchor="middle">${minute} min</text>`,
    ),
    ...lines.map(
      (line, at) =>
        `<polyline fill="none" stroke="${COLOURS[at]}" stroke-width="1.5" points="${line.points
          .filter(({ value }) => Number.isFinite(value))
          .map((point) => `${x(point.at)},${y(point.value)}`)
          .join(' ')}"/>`,
    ),
    '</svg>\n',
  ].join('\n');
}

/** Returns the smallest number not below `value` that is 1, 2, 4 or 8 times a power of ten. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 4, 8, 10].find((times) => times * power >= value)!;
}

function label(value: number): string {
  return value >= 10 || value === 0 ? value.toFixed(0) : value.toPrecision(2);
}
