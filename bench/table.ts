import type { Interval } from './bootstrap.js';
import { intervalFor, measured, verdictOf, type Bar, type Check, type Figure, type Unit } from './figure.js';

const HEAD = ['what', 'figure', '95 %', 'p99', 'n', 'detail', 'yardstick', 'ratio', 'bar', '', 'reference'];

/** Returns the figures with a table for each fleet. */
export function tables(figures: readonly Figure[], markdown: boolean): string {
  const sizes = [...new Set(figures.map(({ hosts }) => hosts))];
  return sizes
    .map((size) => {
      const own = figures.filter(({ hosts }) => hosts === size);
      return `${markdown ? '### ' : ''}${title(size)}\n\n${table(own, markdown)}`;
    })
    .join('\n\n');
}

function title(hosts: number): string {
  return hosts === 1 ? 'One host' : `${hosts.toLocaleString('en')} hosts`;
}

/** Returns figures as a table with one line for each check, as Markdown or for a terminal. */
function table(figures: readonly Figure[], markdown: boolean): string {
  const rows = figures.flatMap(rowsOf);
  const widths = HEAD.map((head, column) =>
    Math.max(3, head.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, column) => cell.padEnd(widths[column]));
    return markdown ? `| ${padded.join(' | ')} |` : padded.join('  ').trimEnd();
  };
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(HEAD), line(rule), ...rows.map(line)].join('\n');
}

function rowsOf(figure: Figure): string[][] {
  const { what, value, unit, p99, count, detail, reference, checks } = figure;
  const compared = checks.length === 0 ? [undefined] : checks;
  return compared.map((check, index) => {
    const own =
      index === 0
        ? [
            what,
            amount(value, unit),
            range(intervalFor(figure)),
            p99 === undefined ? '' : amount(p99, 'ms'),
            count.toLocaleString('en'),
            detail,
          ]
        : ['', '', '', '', '', ''];
    return [
      ...own,
      ...(check === undefined ? ['', '', '', ''] : comparison(figure, check)),
      index === 0 && reference !== undefined ? amount(reference, unit) : '',
    ];
  });
}

function comparison(figure: Figure, check: Check): string[] {
  const { yardstick, bar } = check;
  return [
    yardstick === undefined ? '' : `${yardstick.name}: ${amount(yardstick.value, yardstick.unit)}`,
    yardstick === undefined ? '' : ratioText(figure, check),
    bar === undefined ? '' : barText(bar, yardstick === undefined ? figure.unit : null),
    verdictOf(figure, check) ?? '',
  ];
}

function ratioText(figure: Figure, check: Check): string {
  const interval = range(intervalFor(figure, check));
  return measured(figure, check).toPrecision(3) + (interval === '' ? '' : ` (${interval})`);
}

function range(interval: Interval | null): string {
  return interval === null ? '' : `${number(interval.low)} to ${number(interval.high)}`;
}

function barText(bar: Bar, unit: Unit | null): string {
  const [word, value] = 'atMost' in bar ? ['at most', bar.atMost] : ['at least', bar.atLeast];
  return `${word} ${value.toLocaleString('en')}${unit === null ? '' : unitText(unit)}`;
}

function amount(value: number, unit: Unit): string {
  return number(value) + unitText(unit);
}

function number(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function unitText(unit: Unit): string {
  return unit === '/s' ? unit : ` ${unit}`;
}
