import type { DocumentNode } from 'graphql';

/** Documents longer than this are parsed each time. */
const MAX_LENGTH = 20_000;
const MAX_DOCUMENTS = 200;

/** Caches the documents used last, bounded in memory: clients send the same few again and again. */
export class DocumentCache {
  private readonly documents = new Map<string, DocumentNode>();

  get(text: string): DocumentNode | undefined {
    const document = this.documents.get(text);
    if (document) {
      this.documents.delete(text);
      this.documents.set(text, document);
    }
    return document;
  }

  set(text: string, document: DocumentNode): void {
    if (text.length > MAX_LENGTH) return;
    this.documents.set(text, document);
    if (this.documents.size > MAX_DOCUMENTS) this.documents.delete(this.documents.keys().next().value!);
  }

  clear(): void {
    this.documents.clear();
  }
}

/** Rejected documents are not cached: there is no end of them. */
export const NO_ERROR_CACHE = { get: () => undefined, set: () => undefined, clear: () => undefined };
