import { expect, test } from '@jest/globals';
import type { ProviderEntity } from '../../src/api/entities.js';
import { DetailLoader } from '../../src/api/provider/detailLoader.js';
import type { ProviderLoader } from '../../src/api/provider/providerLoader.js';
import { ProviderTree } from '../../src/api/provider/tree.js';
import { Operations } from '../../src/model/operation/operation.js';

function provider(id: number): ProviderEntity {
  return {
    id,
    uuid: `uuid ${id}`,
    name: `provider ${id}`,
    generation: 0,
    parentId: id === 1 ? null : 1,
    rootId: 1,
  };
}

test('a provider that joined its tree after the tree was read has its details', async () => {
  const operation = new Operations().begin();
  const tree = new ProviderTree([provider(1), provider(2)], operation.signal);
  const providers = {
    tree: () => Promise.resolve(tree),
    walkedTrees: new Set([1]),
    walkedSharing: new Set<number>(),
    servedTreesOf: () => [],
  } satisfies Partial<ProviderLoader>;
  const reads: (readonly number[])[] = [];
  const loader = new DetailLoader(operation, providers as unknown as ProviderLoader, (ids) => {
    reads.push(ids);
    return Promise.resolve(ids.filter((id) => id !== 2).map((providerId) => ({ providerId })));
  });
  expect(await loader.of(provider(1))).toEqual([{ providerId: 1 }]);
  expect(await Promise.all([2, 3].map((id) => loader.of(provider(id))))).toEqual([[], [{ providerId: 3 }]]);
  expect(reads).toEqual([[1, 2], [3]]);
  operation.end();
});
