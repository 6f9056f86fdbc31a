import { ensure, firstDuplicate, InvalidInput } from '../domain/invalidInput.js';
import { checkLength } from '../domain/providerConditions.js';
import {
  isMember,
  rootRow,
  treeIndexOf,
  treeOf,
  type ProviderRef,
  type Snapshot,
} from '../engine/model/snapshot.js';

/** Selects the trees of providers, or the trees with a provider directly in an aggregate. */
export type TreesInput = { readonly providers: readonly string[] } | { readonly aggregate: string };

/** Returns the roots of the trees. @throws InvalidInput for unknown names or repeated trees */
export function rootsOf(snapshot: Snapshot, trees: TreesInput, path: readonly string[]): ProviderRef[] {
  if ('aggregate' in trees) {
    const aggregate = snapshot.aggregates.idOf(trees.aggregate);
    if (aggregate === undefined)
      throw new InvalidInput([...path, 'aggregate'], `there is no aggregate ${trees.aggregate}`);
    return rootsIn(snapshot, aggregate);
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

function rootsIn(snapshot: Snapshot, aggregate: number): ProviderRef[] {
  const roots: ProviderRef[] = [];
  for (let treeIndex = 0; treeIndex < snapshot.treeCount; treeIndex++) {
    const { block, start, end } = treeOf(snapshot, treeIndex);
    for (let row = start; row < end; row++) {
      if (!isMember(block, row, aggregate)) continue;
      roots.push({ block, row: start });
      break;
    }
  }
  return roots;
}
