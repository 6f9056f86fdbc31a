import { useRef, useState } from 'react';
import { useClient, type CombinedError, type RequestPolicy, type TypedDocumentNode } from 'urql';

export interface Answer<Data> {
  /** Undefined if the query failed. */
  readonly data?: Data;
  readonly error?: CombinedError;
}

/**
 * Runs a query only when `ask` is called, by default without the cache. Keeps the answer until the next one or
 * until `forget` is called. Ignores the answer of a query after another `ask` or `forget`.
 */
export function useAnswer<Data, Variables extends object>(document: TypedDocumentNode<Data, Variables>) {
  const client = useClient();
  return useAsked((variables: Variables, requestPolicy): PromiseLike<Answer<Data>> =>
    client.query(document, variables, { requestPolicy }),
  );
}

/** Does the same with a function that reads the answer. */
export function useAsked<Data, Variables extends object>(
  read: (variables: Variables, requestPolicy: RequestPolicy) => PromiseLike<Answer<Data>>,
) {
  const [answer, setAnswer] = useState<Answer<Data> | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const latest = useRef(0);
  const ask = async (variables: Variables, requestPolicy: RequestPolicy = 'network-only'): Promise<void> => {
    const number = ++latest.current;
    setIsBusy(true);
    const { data, error } = await read(variables, requestPolicy);
    if (number !== latest.current) return;
    setIsBusy(false);
    setAnswer({ data, error });
  };
  const forget = (): void => {
    latest.current++;
    setIsBusy(false);
    setAnswer(null);
  };
  return { answer, isBusy, ask, forget };
}
