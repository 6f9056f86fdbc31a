import { fingerprint } from './claims.js';
import { partsOf, type ModelProvider, type State } from './state.js';

/**
 * Marks a consumer whose allocations another consumer has taken over. Its generation always
 * changes.
 */
export const HANDED_OVER = -1;

/**
 * Decision D5 and rules 60 to 64 and 84, derived from the final state: the generation of a provider rises by one
 * if the provider or its users differ. The generation of a consumer rises by one if the consumer
 * differs. A new consumer begins at 1 and a new provider at 0. The traits of a child are not part of
 * its parent (rule 72).
 */
export function setNextGenerations(before: State, after: State): void {
  const old = usesOf(before);
  const now = usesOf(after);
  for (const provider of after.providers.values()) {
    const stored = before.providers.get(provider.uuid);
    if (!stored) continue;
    const isSame =
      offerOf(stored) === offerOf(provider) && old.get(stored.uuid)?.join() === now.get(stored.uuid)?.join();
    provider.generation = stored.generation + (isSame ? 0 : 1);
  }
  for (const consumer of after.consumers.values()) {
    const stored = before.consumers.get(consumer.uuid);
    const isSame =
      consumer.generation !== HANDED_OVER &&
      stored &&
      fingerprint(stored) === fingerprint({ ...consumer, generation: stored.generation });
    consumer.generation = (stored?.generation ?? 0) + (isSame ? 0 : 1);
  }
}

/** Returns equal texts for providers that differ only in their generation. */
export function offerOf({ uuid, name, parent, inventories, traits, aggregates }: ModelProvider): string {
  const offers = Object.entries(inventories)
    .map(([resourceClass, offer]) => `${resourceClass} ${Object.entries(offer).sort().join()}`)
    .sort();
  return JSON.stringify([uuid, name, parent, offers, [...traits].sort(), [...aggregates].sort()]);
}

function usesOf({ consumers }: State): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  for (const { uuid, has } of consumers.values()) {
    for (const [key, amount] of Object.entries(has)) {
      const { provider } = partsOf(key);
      uses.set(provider, [...(uses.get(provider) ?? []), `${uuid} ${key} ${amount}`].sort());
    }
  }
  return uses;
}
