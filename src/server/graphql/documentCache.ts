import { visit, type DocumentNode, type GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Plugin } from 'graphql-yoga';
import type { Identified } from './errorReport.js';
import { RefusedDocuments } from './refusedDocuments.js';

/** The approximate maximum size of the cache, and of one document in it (bytes). */
const MOST = 33_554_432;
const MOST_OF_ONE = 2_097_152;

/** The approximate size of a node with its location (bytes). */
const NODE_SIZE = 250;

/** Caches the most recently used valid documents, and why others are not valid: clients repeat a few of them. */
export function useDocumentCache(): Plugin<Identified> {
  const documents = new LRUCache<string, DocumentNode>({ maxSize: MOST, maxEntrySize: MOST_OF_ONE });
  const known = new WeakSet<DocumentNode>();
  const refused = new RefusedDocuments();
  return {
    onParse({ context, params, setParsedDocument }) {
      const text = String(params.source);
      context.record?.received(text);
      const document = documents.get(text) ?? refused.find(text);
      if (document) setParsedDocument(document);
    },
    onValidate({ context, params, setResult }) {
      context.record?.parsed();
      const document = params.documentAST as DocumentNode;
      if (known.has(document)) return setResult([]);
      const errors = refused.errorsOf(document);
      if (errors !== undefined) return setResult(errors);
      return ({ valid, result }) => {
        const text = document.loc?.source.body;
        if (text === undefined || text.length > MOST_OF_ONE) return;
        if (!valid) return refused.add(text, document, result as readonly GraphQLError[]);
        const size = documentBytes(document);
        if (size > MOST_OF_ONE) return;
        documents.set(text, document, { size });
        known.add(document);
      };
    },
  };
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
