import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { requestError } from '../errorCodes.js';
import type { TrustedDocuments } from './trustedDocuments.js';

/** The parameters of a request, which may have the id of a document. */
type Requested = GraphQLParams & { readonly documentId?: unknown };

/** Rejects requests unless their id or their exact text is that of a trusted document. */
export function useTrustedDocuments(trusted: { readonly current: TrustedDocuments }): Plugin {
  return {
    onParams({ request, params, setParams }) {
      const { documentId, ...rest }: Requested = params;
      if (typeof rest.query === 'string' && rest.query !== '') {
        if (!trusted.current.has(rest.query))
          throw notTrusted('The server accepts only listed documents. This text is not listed.');
        return setParams(rest);
      }
      const id = documentId ?? idInAddress(request) ?? persistedQueryHash(rest);
      if (id === undefined)
        throw requestError('BAD_REQUEST', 'The request has no document: send its id as documentId.');
      const text = typeof id === 'string' ? trusted.current.find(id) : undefined;
      if (text === undefined)
        throw notTrusted('The server accepts only listed documents. This id is not listed.');
      setParams({ ...rest, query: text });
    },
  };
}

function notTrusted(message: string) {
  return requestError('DOCUMENT_NOT_TRUSTED', message);
}

function idInAddress({ method, url }: Request): string | undefined {
  if (method !== 'GET') return undefined;
  return new URL(url, 'http://localhost').searchParams.get('documentId') ?? undefined;
}

/** Returns the id in the form of Apollo's clients. */
function persistedQueryHash({ extensions }: GraphQLParams): unknown {
  return (extensions?.persistedQuery as { readonly sha256Hash?: unknown } | undefined)?.sha256Hash;
}
