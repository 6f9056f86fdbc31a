import { visit, type DocumentNode, type Location } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Plugin } from 'graphql-yoga';
import type { Identified } from './errorReport.js';

/** About what the documents of the cache take in memory at most, together and each (bytes). */
const MOST = 33_554_432;
const MOST_OF_ONE = 2_097_152;

/** About what a node of a document takes, with its location (bytes). */
const NODE_SIZE = 250;

/** Caches the valid documents used last: clients send the same few again and again. Others there is no end of. */
export function useDocumentCache(): Plugin<Identified> {
  const documents = new LRUCache<string, DocumentNode>({ maxSize: MOST, maxEntrySize: MOST_OF_ONE });
  const known = new WeakSet<DocumentNode>();
  return {
    onParse({ context, params, setParsedDocument }) {
      const text = String(params.source);
      context.record?.received(text);
      const document = documents.get(text);
      if (document) setParsedDocument(document);
    },
    onValidate({ context, params, setResult }) {
      context.record?.parsed();
      const document = params.documentAST as DocumentNode;
      if (known.has(document)) return setResult([]);
      return ({ valid }) => {
        const text = document.loc?.source.body;
        if (!valid || text === undefined || text.length > MOST_OF_ONE) return;
        const size = text.length + NODE_SIZE * forgetTokens(document);
        if (size > MOST_OF_ONE) return;
        documents.set(text, document, { size });
        known.add(document);
      };
    },
  };
}

/** Drops the document's tokens, which take more memory than the rest of it. Returns the number of nodes. */
function forgetTokens(document: DocumentNode): number {
  let nodes = 0;
  visit(document, {
    enter({ loc }) {
      nodes++;
      if (loc) Object.assign(loc, { startToken: undefined, endToken: undefined } satisfies Forgotten);
    },
  });
  return nodes;
}

type Forgotten = Record<'startToken' | ('endToken' & keyof Location), undefined>;
