import {
  cacheExchange,
  createClient,
  fetchExchange,
  mapExchange,
  type Client,
  type CombinedError,
} from 'urql';
import { observedFetch } from './silence';
import { authorization } from './token';

/** The GraphQL endpoint of the server that serves the page. */
export const ENDPOINT = '/graphql';

/**
 * Creates a client of the page's own server. After a mutation its cache repeats every query that
 * shows an object of a type in the payload. Therefore payloads select the changed objects.
 */
export function createApiClient(onUnauthenticated: (message: string) => void): Client {
  return createClient({
    url: ENDPOINT,
    preferGetMethod: false,
    fetch: observedFetch,
    fetchOptions: () => ({ headers: authorization() }),
    exchanges: [
      mapExchange({
        onError(error) {
          if (codeOf(error) === 'UNAUTHENTICATED') onUnauthenticated(describe(error).message);
        },
      }),
      cacheExchange,
      fetchExchange,
    ],
  });
}

export interface Failure {
  /** A code of docs/reference/errors.md, or NETWORK if the server did not answer. */
  readonly code: string;
  readonly message: string;
}

/** Returns the failure to show. */
export function describe(error: CombinedError): Failure {
  const [first] = error.graphQLErrors;
  if (first === undefined)
    return { code: 'NETWORK', message: 'The server does not answer. It may be starting or unreachable.' };
  const code = codeOf(error) ?? 'UNKNOWN';
  return { code, message: EXPLANATIONS[code] ?? first.message };
}

/** The result of a mutation: its payload, or one of its errors. */
type MutationAnswer = { readonly __typename: string } | (Failure & { readonly __typename: string });

/** Returns why a mutation failed, or null if it succeeded. */
export function failureOf(
  error: CombinedError | undefined,
  answer: MutationAnswer | null | undefined,
): Failure | null {
  if (error) {
    const failure = describe(error);
    if (failure.code !== 'NETWORK') return failure;
    return { ...failure, message: 'The server did not answer. The outcome of the change is unknown.' };
  }
  return answer && 'code' in answer ? answer : null;
}

/** Whether the outcome of the failed mutation is unknown. */
export function isUncertain({ code }: Failure): boolean {
  return ['NETWORK', 'OUTCOME_UNKNOWN', 'TIMEOUT', 'INTERNAL_SERVER_ERROR'].includes(code);
}

const TRANSIENT = [
  'NETWORK',
  'OVERLOADED',
  'THROTTLED',
  'DATABASE_UNAVAILABLE',
  'TIMEOUT',
  'INTERNAL_SERVER_ERROR',
];

/** Whether a retry of the query may succeed. */
export function isTransient(error: CombinedError): boolean {
  return TRANSIENT.includes(describe(error).code);
}

function codeOf(error: CombinedError): string | undefined {
  const code = error.graphQLErrors[0]?.extensions.code;
  return typeof code === 'string' ? code : undefined;
}

/** Replaces messages of the server that do not help a reader of the page. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  FORBIDDEN: 'Your role does not allow this.',
  DOCUMENT_NOT_TRUSTED:
    'The server runs trusted documents only, and its list lacks those of the dashboard. The operator adds the content of ' +
    'dist/dashboard/documents.json, which is part of the server.',
};
