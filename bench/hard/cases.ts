import type { CandidatesRequest } from '../../src/model/request.js';
import { NO_LIMIT, type Provider, type Tree } from './fleet.js';

/** A request that is hard to answer in each tree of a fleet. */
export interface HardCase {
  readonly family: string;
  readonly what: string;
  /** The n-th host, which has no candidate. */
  readonly host: (at: number) => Tree;
  /** A host of the same kind that has candidates. */
  readonly fitting: Tree;
  /** Trees of sharing pools, which are not hosts. */
  readonly pools?: readonly Tree[];
  readonly request: CandidatesRequest;
}

/**
 * Yields the trees of a case: the pools, then `hosts` hosts. If `fits`, the last host has
 * candidates.
 */
export function* treesOf(
  { host, fitting, pools = [] }: HardCase,
  hosts: number,
  fits: boolean,
): Generator<Tree> {
  yield* pools;
  for (let at = 0; at < hosts - 1; at++) yield host(at);
  yield fits ? fitting : host(hosts - 1);
}

/**
 * Returns the case with hosts that all differ. Each host has a further provider whose `min` of
 * every class is too large for any group.
 */
export function unlike(hardCase: HardCase): HardCase {
  const classes = hardCase.request.groups.flatMap(({ resources }) =>
    resources.map((one) => one.resourceClass),
  );
  const other = (at: number): Provider => ({
    parent: 0,
    inventories: Object.fromEntries(
      classes.map((name) => [name, { total: NO_LIMIT, min: 2 ** 30 + at, step: 2 ** 30 + at }]),
    ),
  });
  return {
    ...hardCase,
    what: `${hardCase.what}, no two hosts alike`,
    host: (at) => [...hardCase.host(at), other(at)],
  };
}

/** Returns `count` items. `make` gets the index of the item. */
export function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** Shuffles a list in a way that is always the same. */
export function scrambled<T>(list: readonly T[]): T[] {
  let state = 1;
  const keyed = list.map((one) => {
    state = (Math.imul(state, 48271) >>> 0) % 2147483647;
    return { one, key: state };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}
