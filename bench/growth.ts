import { measured, type Figure } from './figure.js';

const WHAT = /^q[1-6], limit 10$/;

/**
 * Compares q1 to q6 on the largest fleet with the smallest one, in multiples of the minimal query
 * of the same window. The minimal query does not grow with the fleet, but with the other work of
 * the machine.
 */
export function growthFigures(figures: readonly Figure[]): Figure[] {
  const asked = figures.filter(({ what }) => WHAT.test(what));
  const sizes = [...new Set(asked.map(({ hosts }) => hosts))].sort((a, b) => a - b);
  if (sizes.length < 2) return [];
  const at = (hosts: number): Figure[] => asked.filter((figure) => figure.hosts === hosts);
  const smallest = at(sizes[0]);
  return at(sizes.at(-1)!).flatMap((large) => {
    const small = smallest.find(({ what }) => what === large.what);
    return small === undefined ? [] : [growth(small, large)];
  });
}

function growth(small: Figure, large: Figure): Figure {
  const name = `${small.hosts.toLocaleString('en')} hosts`;
  const yardstick = { name, value: multiple(small), unit: 'times' } as const;
  return {
    hosts: large.hosts,
    what: `${large.what}, growth`,
    value: multiple(large),
    unit: 'times',
    count: large.count,
    detail: `${small.value.toFixed(2)} ms and ${large.value.toFixed(2)} ms`,
    checks: [{ yardstick, bar: { atMost: 1.5 } }],
  };
}

/** Returns the time as a multiple of the minimal query. */
function multiple(figure: Figure): number {
  return measured(figure, figure.checks[0]);
}
