import type * as api from '../generated/client/operations.js';
import { Failure } from './failure.js';
import type { FileInput } from './inputFile.js';

export type TreeInput = FileInput<api.ApplyProviderTreeInput>;

/** Returns a desired provider and its descendants. */
export function nodesOf(node: api.DesiredProviderInput): api.DesiredProviderInput[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

/**
 * Rejects a provider, by its name or its uuid, that is in several documents: each is checked without the others.
 *
 * @param othersOf returns more texts that may be in one document only
 */
export function checkDistinct(
  trees: readonly TreeInput[],
  othersOf: (input: api.ApplyProviderTreeInput) => readonly string[] = () => [],
): void {
  const sources = new Map<string, string>();
  for (const { source, input } of trees) {
    const providers = nodesOf(input.root).flatMap(({ name, uuid }) => [
      `provider "${name}"`,
      ...(uuid == null ? [] : [`provider ${uuid}`]),
    ]);
    for (const each of new Set([...providers, ...othersOf(input)])) {
      const other = sources.get(each);
      if (other !== undefined) throw Failure.usage(`${source}: ${each} is also in ${other}`);
      sources.set(each, source);
    }
  }
}
