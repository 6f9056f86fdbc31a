import { visit, type DocumentNode, type GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { RefusedDocuments } from './refusedDocuments.js';

/** The approximate maximum size of the cache, and of one document in it (bytes). */
const MOST = 33_554_432;
const MOST_OF_ONE = 2_097_152;

/** The approximate size of a node with its location (bytes). */
const NODE_SIZE = 250;

/** A parsed document, and why it is not valid. */
export interface ReadDocument {
  readonly document: DocumentNode;
  readonly errors: readonly GraphQLError[];
}

/** The most recently used valid documents, and why others are not valid: clients repeat a few of them. */
export class DocumentCache {
  private readonly valid = new LRUCache<string, DocumentNode>({ maxSize: MOST, maxEntrySize: MOST_OF_ONE });
  private readonly refused = new RefusedDocuments();

  find(text: string): ReadDocument | null {
    const valid = this.valid.get(text);
    if (valid) return { document: valid, errors: [] };
    const document = this.refused.find(text);
    return document && { document, errors: this.refused.errorsOf(document)! };
  }

  add(text: string, { document, errors }: ReadDocument): void {
    if (text.length > MOST_OF_ONE) return;
    if (errors.length > 0) return this.refused.add(text, document, errors);
    const size = documentBytes(document);
    if (size <= MOST_OF_ONE) this.valid.set(text, document, { size });
  }
}

/** Returns the approximate memory of a document (bytes). Removes its tokens, which need more than the nodes. */
export function documentBytes(document: DocumentNode): number {
  let size = document.loc?.source.body.length ?? 0;
  visit(document, {
    enter({ loc }) {
      size += NODE_SIZE;
      if (loc) Object.assign(loc, { startToken: undefined, endToken: undefined });
    },
  });
  return size;
}
