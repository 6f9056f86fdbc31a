import type { Plugin } from 'graphql-yoga';
import { requestError } from './errorCodes.js';

/**
 * Rejects a request that has the hash of a document instead of the document, as Apollo's clients send it. They recognize
 * this message, and send the document.
 */
export const persistedQueries: Plugin = {
  onParams({ params: { query, extensions } }) {
    const hasHash = typeof extensions?.persistedQuery === 'object' && extensions.persistedQuery !== null;
    if (hasHash && !query) throw requestError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
  },
};
