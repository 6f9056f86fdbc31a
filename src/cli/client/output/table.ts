import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

export interface Table {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Which columns are numbers, and stand to the right. */
  readonly isNumber: readonly boolean[];
}

const GAP = '  ';
/** A column is not made narrower than this. */
const NARROWEST = 8;

/** The lines of a table whose cells are wrapped so that it fits a width. */
export function tableLines({ titles, rows, isNumber }: Table, width: number): string[] {
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
    if (widths[widest] <= NARROWEST) break;
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
