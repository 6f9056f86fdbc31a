/** What an operation costs on one fleet. */
export interface Cost {
  /** The time on a server that has answered nothing before (ms), or the code of the error. */
  readonly first: number | string;
  /** The median of the next times (ms). Null if the operation failed. */
  readonly next: number | null;
  /** The resident memory of the server afterwards (MiB). */
  readonly resident: number;
}

/** Returns a row for each operation and a column for each fleet, in Markdown. */
export function growthTable(sizes: readonly number[], costs: ReadonlyMap<string, readonly Cost[]>): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const head = ['operation', ...sizes.map((hosts) => `${hosts.toLocaleString('en')} hosts`)];
  const rows = [...costs].map(([what, each]) => line([what, ...each.map(cell)]));
  return [line(head), line(head.map(() => '---')), ...rows].join('\n');
}

/** For example `31; 4.2 ms; 190 MiB`, or `TIMEOUT; 190 MiB`. */
function cell({ first, next, resident }: Cost): string {
  const memory = `${rounded(resident)} MiB`;
  if (typeof first === 'string') return `${first}; ${memory}`;
  const times = next === null ? [first] : [first, next];
  return `${times.map(rounded).join('; ')} ms; ${memory}`;
}

function rounded(value: number): string {
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}
