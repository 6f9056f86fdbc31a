import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { Format, Output, Table } from './output.js';

export async function textOf({ data, blocks }: Output, format: Format): Promise<string> {
  if (format === 'json') return `${JSON.stringify(data, null, 2)}\n`;
  if (format === 'yaml') return (await import('yaml')).stringify(data, { lineWidth: 0 });
  // a pipe or a file has no width
  const width = process.stdout.columns || Number(process.env.COLUMNS) || Infinity;
  const texts = blocks.map((block) =>
    typeof block === 'string' ? block : tableLines(block, width).join('\n'),
  );
  return `${texts.join('\n\n')}\n`;
}

const GAP = '  ';
const MIN_WIDTH = 8;

/** Wraps the cells so that the table fits the width. */
function tableLines({ titles, rows, isNumber }: Table, width: number): string[] {
  const lines = [titles, ...rows];
  const widths = fitted(
    titles.map((_title, at) => Math.max(...lines.map((cells) => stringWidth(cells[at])))),
    width,
  );
  return lines.flatMap((cells) => {
    const wrapped = cells.map((cell, at) => wrap(cell, widths[at]));
    const height = Math.max(...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_line, at) =>
      wrapped
        .map((parts, column) => padded(parts[at] ?? '', widths[column], isNumber[column]))
        .join(GAP)
        .trimEnd(),
    );
  });
}

/** Takes from the widest column until all fit, or none can be narrower. */
function fitted(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1)) - width;
  for (; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest] <= MIN_WIDTH) break;
    widths[widest]--;
  }
  return widths;
}

function wrap(cell: string, width: number): string[] {
  return stringWidth(cell) <= width ? [cell] : wrapAnsi(cell, width, { hard: true }).split('\n');
}

function padded(text: string, width: number, isNumber: boolean): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return isNumber ? space + text : text + space;
}
