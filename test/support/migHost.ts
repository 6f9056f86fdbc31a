import { migCard, migTree } from '../../src/command/fleetSources/migCards.js';
import type { SourceNode } from '../../src/command/fleetSources/source.js';
import type { ApiClient } from './api.js';

/** Creates a host with divided cards, with their resource classes. */
export async function createMigHost(api: ApiClient, host: string, card: string, count = 1): Promise<void> {
  const { root } = migTree(await migCard(card), host, count);
  for (const name of classesIn(root)) await api.mutate('createResourceClass', { name });
  const { __typename } = await api.mutate<{ __typename: string }>('applyProviderTree', {
    root: inputOf(root),
  });
  if (__typename !== 'ApplyProviderTreePayload') throw new Error(__typename);
}

const classesIn = ({ inventories = {}, children = [] }: SourceNode): Set<string> =>
  new Set([...Object.keys(inventories), ...children.flatMap((each) => [...classesIn(each)])]);

const inputOf = ({ inventories = {}, children = [], ...node }: SourceNode): object => ({
  ...node,
  inventories: Object.entries(inventories).map(([resourceClass, of]) => ({ resourceClass, ...of })),
  children: children.map(inputOf),
});
