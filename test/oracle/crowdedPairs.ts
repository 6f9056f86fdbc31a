import { fc } from '../support/fastCheck.js';
import type { CaseGroup, CaseRequest } from '../support/caseRequests.js';
import { uuidOf, type Forest, type InventoryRecord, type ProviderRecord } from '../support/forest.js';
import type { Pair } from './pairArbitrary.js';
import { Random } from './random.js';

const TRAITS = ['CUSTOM_RED', 'CUSTOM_GREEN', 'CUSTOM_BLUE'];
const UNITS = { reserved: 0, min_unit: 1, max_unit: 2147483647, step_size: 1, allocation_ratio: 1 };

/**
 * Returns a pair for which a search has to look ahead: one or two hosts with few devices for about
 * as many groups, of amounts that just fit or just do not. Devices are below NICs, and some are
 * equal.
 */
function crowdedPair(seed: number): Pair {
  const random = new Random(seed);
  const forest: Forest = { providers: [], allocations: [] };
  for (let host = random.between(1, 2); host > 0; host--) growHost(random, forest.providers, `h${host}`);
  return { forest, request: crowdedRequest(random) };
}

function growHost(random: Random, providers: ProviderRecord[], root: string): void {
  const add = (name: string, parent: string | null, device: boolean): void => {
    providers.push({
      name,
      uuid: uuidOf('provider', name),
      parent,
      inventories: device ? { VCPU: inventory(random) } : {},
      traits: random.some(TRAITS, 40),
      aggregates: [],
    });
  };
  add(root, null, false);
  for (let nic = random.between(1, 2); nic > 0; nic--) {
    const name = `${root}n${nic}`;
    add(name, root, random.chance(20));
    for (let device = random.between(1, 3); device > 0; device--) add(`${name}d${device}`, name, true);
  }
}

function inventory(random: Random): InventoryRecord {
  const total = random.pick([1, 1, 2, 4, 5, 6, 7]);
  const step = random.chance(20) ? 2 : 1;
  return { ...UNITS, total, step_size: step, min_unit: random.chance(15) ? Math.min(total, 3) : 1 };
}

function crowdedRequest(random: Random): CaseRequest {
  const suffixes = Array.from({ length: random.between(2, 4) }, (_, at) => `_G${at}`);
  const even = random.chance(40);
  const groups = suffixes.map((suffix): CaseGroup => ({
    suffix,
    resources: { VCPU: even ? random.pick([2, 4]) : random.pick([1, 1, 2, 3]) },
    required: random.chance(35) ? [random.sample(TRAITS, random.between(1, 2))] : [],
  }));
  if (random.chance(30)) groups.push({ suffix: '_TOP', required: [[random.pick(TRAITS)]] });
  const splits = random.chance(25);
  if (splits) groups.unshift({ suffix: '', resources: { VCPU: random.between(2, 9) }, canSplit: ['VCPU'] });
  const hasTop = groups.some(({ suffix }) => suffix === '_TOP');
  const subtree = hasTop ? ['_TOP', ...random.some(suffixes, 60)] : random.some(suffixes, 50);
  const except = suffixes.filter((suffix) => !subtree.includes(suffix) && random.chance(40));
  const isolates = random.pick(['policy', 'list', 'none', 'none'] as const);
  return {
    groups,
    sameSubtree: subtree.length > 0 ? [[...subtree, ...except.map((suffix) => `!${suffix}`)]] : [],
    groupPolicy: isolates === 'policy' ? 'isolate' : 'none',
    isolate: isolates === 'list' ? random.some(suffixes, 50) : [],
  };
}

/** Crowded pairs for fast-check, which draws the seed. */
export class CrowdedPairArbitrary extends fc.Arbitrary<Pair> {
  override generate(random: fc.Random): fc.Value<Pair> {
    return new fc.Value(crowdedPair(random.nextInt(0, 0x7fffffff)), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Pair {
    return value === this;
  }

  override shrink(): fc.Stream<fc.Value<Pair>> {
    return fc.Stream.nil();
  }
}
