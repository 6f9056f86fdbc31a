import type { CandidatesRequest } from '../../src/engine/model/request.js';
import { NO_LIMIT, type Provider, type Tree } from './fleet.js';

/** A request that is hard to answer in each tree of a fleet. */
export interface HardCase {
  readonly family: string;
  readonly what: string;
  /** The n-th host, which has no candidate. */
  readonly host: (at: number) => Tree;
  /** A host of the same kind that has candidates. */
  readonly fitting: Tree;
  /** Trees that are no hosts: pools that share. */
  readonly pools?: readonly Tree[];
  readonly request: CandidatesRequest;
}

/** The trees of a case: pools, so many hosts without a candidate, and the one with candidates if that is wanted. */
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
 * The same case with hosts of which none is like another: each has one provider more, which has too large a least amount
 * of every class to serve any group.
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

/** So many things, numbered from 0. */
export function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** Scrambles a list in a way that is always the same. */
export function scrambled<T>(list: readonly T[]): T[] {
  let state = 1;
  const keyed = list.map((one) => {
    state = (Math.imul(state, 48271) >>> 0) % 2147483647;
    return { one, key: state };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}
