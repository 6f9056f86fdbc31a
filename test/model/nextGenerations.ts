import { fingerprint } from './claims.js';
import { partsOf, type ModelProvider, type State } from './state.js';

/** In place of the generation of a consumer whose allocations another one has taken over: it changes in any case. */
export const HANDED_OVER = -1;

/**
 * Decision D5 and rule 84, found by looking at what came out: every provider of which anything differs, or who uses it,
 * goes up by one; so does every consumer; a new consumer begins at 1 and a new provider at 0.
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

/** A text that is equal for providers that are alike but for their generation. */
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
