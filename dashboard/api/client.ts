import {
  cacheExchange,
  createClient,
  fetchExchange,
  mapExchange,
  type Client,
  type CombinedError,
} from 'urql';
import { authorization } from './token';

/** Where the server that serves the page answers GraphQL. */
export const ENDPOINT = '/graphql';

/**
 * A client of the page's own server. Its cache goes by document and variables: a mutation has every query asked again that shows an
 * object of a type in its payload, so payloads select what they change.
 */
export function createApiClient(onUnauthenticated: (message: string) => void): Client {
  return createClient({
    url: ENDPOINT,
    preferGetMethod: false,
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
  /** As docs/reference/errors.md has it; NETWORK where there was no answer. */
  readonly code: string;
  readonly message: string;
}

/** What has gone wrong, to be shown. */
export function describe(error: CombinedError): Failure {
  const [first] = error.graphQLErrors;
  if (first === undefined)
    return { code: 'NETWORK', message: 'The server does not answer. It may be starting or unreachable.' };
  const code = codeOf(error) ?? 'UNKNOWN';
  return { code, message: EXPLANATIONS[code] ?? first.message };
}

/** What a mutation answers: its payload, or one of its errors. */
type MutationAnswer = { readonly __typename: string } | (Failure & { readonly __typename: string });

/** Why a mutation failed; null if it succeeded. */
export function failureOf(
  error: CombinedError | undefined,
  answer: MutationAnswer | null | undefined,
): Failure | null {
  if (error) {
    const failure = describe(error);
    if (failure.code !== 'NETWORK') return failure;
    return { ...failure, message: 'The server did not answer. The change may have taken place or not.' };
  }
  return answer && 'code' in answer ? answer : null;
}

/** Whether the mutation that failed may have changed something all the same. */
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

/** Whether the same query may succeed a moment later. */
export function isTransient(error: CombinedError): boolean {
  return TRANSIENT.includes(describe(error).code);
}

function codeOf(error: CombinedError): string | undefined {
  const code = error.graphQLErrors[0]?.extensions.code;
  return typeof code === 'string' ? code : undefined;
}

/** Where what the server says is of no use to someone who looks at a page. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  FORBIDDEN: 'Your role does not allow this.',
  DOCUMENT_NOT_TRUSTED:
    'This server runs trusted documents alone, and those of the dashboard are not among them. Whoever runs it adds the ' +
    'content of dist/dashboard/documents.json, which comes with the server, to its list.',
};
