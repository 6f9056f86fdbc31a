import { describe, expect, test } from '@jest/globals';
import type { TopologyRule } from '../../src/moves/workload/workload.js';
import { lightestDomains } from '../../src/moves/workload/domainFill.js';
import type { CaseMember } from '../oracle/workload.js';
import { Random } from '../oracle/random.js';
import { query } from '../support/caseRequests.js';
import { engineWorkload } from '../support/engine.js';
import { aggregate, forest, type Forest } from '../support/forest.js';

const NAMES = [...'ABCDEFGHIJK'];
const RACKS: TopologyRule['level'] = { kind: 'AGGREGATES', aggregates: NAMES.map(aggregate) };
const PACKED: TopologyRule = {
  rule: 'PACK',
  level: RACKS,
  members: ['a'],
  maxSkew: 1,
  allowOutside: false,
};

/** Returns racks of hosts with 8 GPUs, with so many of them free in each rack. */
function racks(free: readonly number[], hosts: number): Forest {
  const lines: string[] = [];
  for (const [rack, left] of free.entries())
    for (let host = 0; host < hosts; host++) {
      const own = Math.max(0, Math.min(8, left - 8 * host));
      lines.push(`${NAMES[rack]}${host} VGPU:8${own < 8 ? `(used=${8 - own})` : ''} @${NAMES[rack]}`);
    }
  return forest(lines.join('\n'));
}

function packed(fleet: Forest, count: number, order?: 'PACK') {
  const request = query('resources=VGPU:1');
  const orderBy = order && [{ freeShare: { resourceClass: 'VGPU', strategy: order } }];
  const members: CaseMember[] = [{ name: 'a', count, requests: [{ ...request, orderBy }], placement: 'ANY' }];
  const { answer } = engineWorkload(fleet, { members, topology: [PACKED] }, { seed: 1 });
  if (answer.kind !== 'FOUND') throw new Error(answer.kind);
  return {
    isOptimal: answer.isOptimal,
    racks: answer.domains[0].map(({ domain }) => NAMES[domain]).sort(),
  };
}

describe('PACK uses the fewest domains, and of these those with the least free amounts', () => {
  test('a rack with exactly 60 free precedes an empty one', () => {
    expect(packed(racks([80, 60, 80], 10), 60)).toEqual({ isOptimal: true, racks: ['B'] });
  });

  test('sixty single devices open one of eleven racks of 54 hosts', () => {
    const free = [432, 432, 100, 432, 59, 432, 61, 432, 432, 432, 432];
    expect(packed(racks(free, 54), 60, 'PACK').racks).toEqual(['G']);
    expect(packed(racks(free, 54), 60)).toEqual({ isOptimal: true, racks: ['G'] });
  });

  test('of pairs of racks, the lightest that suffices is proven', () => {
    expect(packed(racks([40, 33, 27, 38, 20], 10), 60)).toEqual({ isOptimal: true, racks: ['B', 'C'] });
  });
});

test('the lightest domains are those that all subsets give', () => {
  for (let seed = 1; seed <= 2_000; seed++) {
    const random = new Random(seed);
    const domains = Array.from({ length: random.between(1, 8) }, (_, domain) => ({
      domain,
      weight: random.between(0, 20) / 4,
      consumers: random.between(0, 6),
    }));
    const [consumers, most] = [random.between(0, 14), random.between(1, 4)];
    let least = Infinity;
    for (let set = 0; set < 2 ** domains.length; set++) {
      const chosen = domains.filter(({ domain }) => (set >> domain) & 1);
      const sum = chosen.reduce((all, one) => all + one.consumers, 0);
      if (chosen.length > most || sum < consumers) continue;
      least = Math.min(
        least,
        chosen.reduce((all, { weight }) => all + weight, 0),
      );
    }
    const found = lightestDomains(domains, consumers, most);
    expect(found?.weight ?? Infinity).toBeCloseTo(least, 9);
    if (found === null) continue;
    const chosen = domains.filter(({ domain }) => found.domains!.includes(domain));
    expect(chosen.reduce((all, one) => all + one.consumers, 0)).toBeGreaterThanOrEqual(consumers);
    expect(chosen.reduce((all, { weight }) => all + weight, 0)).toBeCloseTo(least, 9);
  }
});
