import { useState } from 'react';
import { useClient, type CombinedError, type TypedDocumentNode } from 'urql';

export interface Answer<Data> {
  /** Undefined if the query failed. */
  readonly data?: Data;
  readonly error?: CombinedError;
}

/**
 * Runs a query only when `ask` is called, without the cache. Keeps the answer until the next one or
 * until `forget` is called.
 */
export function useAnswer<Data, Variables extends object>(document: TypedDocumentNode<Data, Variables>) {
  const client = useClient();
  const [answer, setAnswer] = useState<Answer<Data> | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const ask = async (variables: Variables): Promise<void> => {
    setIsBusy(true);
    const { data, error } = await client.query(document, variables, { requestPolicy: 'network-only' });
    setIsBusy(false);
    setAnswer({ data, error });
  };
  return { answer, isBusy, ask, forget: () => setAnswer(null) };
}
