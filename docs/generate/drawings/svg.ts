import type { Picture } from './answers.js';
import { layoutOf, MARGIN, type AggregateLine, type Box } from './layout.js';

const STYLE = `
    svg { color-scheme: light dark; font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace }
    .ground { fill: #ffffff } .box { fill: #f6f8fa; stroke: #57606a } .edge { stroke: #57606a; fill: none }
    text { fill: #1f2328 } .name { font-weight: 700 } .trait { fill: #57606a }
    .lit { fill: #dafbe1; stroke: #1a7f37; stroke-width: 2 } .takes { fill: #116329; font-weight: 700 }
    .sharing { stroke-dasharray: 6 3 } .aggregate { stroke: #0969da; stroke-width: 2 } .dot { fill: #0969da }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #1b1b1f } .box { fill: #262a31; stroke: #8b949e } .edge { stroke: #8b949e }
      text { fill: #e6edf3 } .trait { fill: #9da7b1 }
      .lit { fill: #12331c; stroke: #3fb950 } .takes { fill: #7ee787 }
      .aggregate { stroke: #58a6ff } .dot { fill: #58a6ff }
    }
  `;

const round = (value: number): string => String(Math.round(value * 10) / 10);
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const text = (x: number, y: number, words: string, type?: string): string =>
  `<text x="${round(x)}" y="${round(y)}"${type ? ` class="${type}"` : ''}>${escaped(words)}</text>`;

/** A picture as SVG, in the colours that the reader prefers. */
export function svgOf(title: string, picture: Picture): string {
  const { boxes, edges, aggregates, width, height } = layoutOf(picture);
  const lit = new Set(picture.parts.map(({ provider }) => provider));
  const size = `${round(width)} ${round(height)}`;
  const parts = [
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="100%" height="100%" rx="8" />`,
    ...edges.map(({ from, to }) => edge(from, to)),
    ...boxes.flatMap((box) => drawn(box, lit.has(box.provider.name))),
    ...aggregates.flatMap(aggregateLine),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" width="${round(width)}" height="${round(height)}" role="img">`,
    ...parts.map((part) => `  ${part}`),
    '</svg>\n',
  ].join('\n');
}

function edge(from: Box, to: Box): string {
  const [start, end] = [from, to].map(({ x, width }) => round(x + width / 2));
  const [top, bottom] = [from.y + from.height, to.y];
  const turn = round((top + bottom) / 2);
  return `<path class="edge" d="M${start} ${round(top)} V${turn} H${end} V${round(bottom)}" />`;
}

function drawn({ provider, lines, x, y, width, height }: Box, isLit: boolean): string[] {
  const isSharing = provider.traits.some(({ name }) => name === 'MISC_SHARES_VIA_AGGREGATE');
  const type = ['box', isLit && 'lit', isSharing && 'sharing'].filter(Boolean).join(' ');
  const traits = new Set(provider.traits.map(({ name }) => name));
  const typeOf = (line: string): string | undefined =>
    line.startsWith('takes ') ? 'takes' : traits.has(line) ? 'trait' : undefined;
  const at = (row: number): number => y + 20 + 18 * row;
  return [
    `<rect class="${type}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="6" />`,
    text(x + 12, at(0), provider.name, 'name'),
    ...lines.map((line, row) => text(x + 12, at(row + 1), line, typeOf(line))),
  ];
}

function aggregateLine({ name, y, dots }: AggregateLine): string[] {
  const [first, last] = [Math.min(...dots), Math.max(...dots)].map(round);
  return [
    text(MARGIN, y + 4, name),
    `<line class="aggregate" x1="${first}" y1="${round(y)}" x2="${last}" y2="${round(y)}" />`,
    ...dots.map((x) => `<circle class="dot" cx="${round(x)}" cy="${round(y)}" r="5" />`),
  ];
}
