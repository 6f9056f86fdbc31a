import { ensure, firstDuplicate, InvalidInput } from '../model/input.js';
import { checkLength } from '../model/request.js';
import type { CandidateAllocation } from './anchor.js';
import { isSharing } from './treeFilter.js';
import {
  positionsIn,
  rootRow,
  treeIndexOf,
  treeOf,
  type ProviderRef,
  type Snapshot,
  type Tree,
} from '../fleet/snapshot.js';

const NO_BITS = new Uint32Array();

/** Selects the trees of providers, or the trees with a provider directly in an aggregate. */
export type TreesInput = { readonly providers: readonly string[] } | { readonly aggregate: string };

/** Returns the roots of the trees. @throws InvalidInput for unknown names or repeated trees */
export function rootsOf(snapshot: Snapshot, trees: TreesInput, path: readonly string[]): ProviderRef[] {
  if ('aggregate' in trees) {
    const aggregate = snapshot.aggregates.idOf(trees.aggregate);
    if (aggregate === undefined)
      throw new InvalidInput([...path, 'aggregate'], `there is no aggregate ${trees.aggregate}`);
    return treesWith(snapshot, aggregate).map(({ block, start }) => ({ block, row: start }));
  }
  const here = [...path, 'providers'];
  checkLength(trees.providers, here);
  ensure(trees.providers.length > 0, here, 'an empty list: name at least one provider');
  const roots = trees.providers.map((uuid, position) => {
    const provider = snapshot.locate(uuid);
    if (provider === undefined)
      throw new InvalidInput([...here, String(position)], `there is no resource provider ${uuid}`);
    return { block: provider.block, row: rootRow(provider.block, provider.row) };
  });
  const repeated = firstDuplicate(roots.map(treeIndexOf));
  ensure(repeated < 0, [...here, String(repeated)], 'its tree is given twice');
  return roots;
}

/** Returns whether providers that do not share are in several trees. No candidate is (rule 153). */
export function areInSeveralTrees(allocations: readonly CandidateAllocation[]): boolean {
  const own = allocations.filter(({ provider }) => !isSharing(provider));
  return own.some(({ provider }) => provider.treeIndex !== own[0].provider.treeIndex);
}

/** Returns the trees with providers, or with a provider directly in an aggregate. */
export function treesWith(snapshot: Snapshot, aggregate: number | null): Tree[] {
  return snapshot.blocks.flatMap(({ index, firstTree, treeStarts }) => {
    const present = (tree: number): boolean => treeStarts[tree] < treeStarts[tree + 1];
    const bits = aggregate === null ? null : index.aggregates.get(aggregate);
    const trees =
      bits === null ? [...Array(treeStarts.length - 1).keys()].filter(present) : positionsIn(bits ?? NO_BITS);
    return trees.map((tree) => treeOf(snapshot, firstTree + tree));
  });
}
