import type { Figure } from './figure.js';

const WHAT = /^q[1-6], limit 10$/;

/** How much longer q1 to q6 take on the largest fleet than on the smallest. */
export function growthFigures(figures: readonly Figure[]): Figure[] {
  const sizes = [...new Set(figures.filter(({ what }) => WHAT.test(what)).map(({ hosts }) => hosts))];
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)];
  if (sizes.length < 2) return [];
  return figures
    .filter(({ what, hosts }) => hosts === largest && WHAT.test(what))
    .flatMap((large) => {
      const small = figures.find(({ what, hosts }) => hosts === smallest && what === large.what);
      if (small === undefined) return [];
      const name = `${smallest.toLocaleString('en')} hosts`;
      const yardstick = { name, value: small.value, unit: small.unit };
      const checks = [{ yardstick, bar: { atMost: 1.5 } }];
      return [{ ...large, what: `${large.what}, growth`, detail: '', reference: undefined, checks }];
    });
}
