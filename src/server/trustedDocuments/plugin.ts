import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { requestError } from '../errorCodes.js';
import type { TrustedDocuments } from './trustedDocuments.js';

/** What a request has of its document, by the body or the address. */
type Requested = GraphQLParams & { readonly documentId?: unknown };

/** Runs trusted documents alone: those named by an id, and those whose whole text is one of them. */
export function useTrustedDocuments(trusted: { readonly current: TrustedDocuments }): Plugin {
  return {
    onParams({ request, params, setParams }) {
      const { documentId, ...rest }: Requested = params;
      if (typeof rest.query === 'string' && rest.query !== '') {
        if (!trusted.current.has(rest.query))
          throw notTrusted(
            'This server runs the documents of its list alone, and this text is none of them.',
          );
        return setParams(rest);
      }
      const id = documentId ?? idInAddress(request) ?? persistedQueryHash(rest);
      if (id === undefined)
        throw requestError('BAD_REQUEST', 'The request has no document: send its id as documentId.');
      const text = typeof id === 'string' ? trusted.current.find(id) : undefined;
      if (text === undefined)
        throw notTrusted('This server runs the documents of its list alone, and this id is none of theirs.');
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

/** As Apollo's clients send it. */
function persistedQueryHash({ extensions }: GraphQLParams): unknown {
  return (extensions?.persistedQuery as { readonly sha256Hash?: unknown } | undefined)?.sha256Hash;
}
