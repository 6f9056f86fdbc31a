import { createContext, Fragment, use, useState, type ReactNode } from 'react';
import { Provider } from 'urql';
import { createApiClient } from './client';
import { token } from './token';
import { TokenForm } from './tokenForm';

interface SessionValue {
  readonly hasToken: boolean;
  /** Forgets the token. */
  readonly leave: () => void;
  /** Shows the token form with this reason instead of the views. */
  readonly refuse: (reason: string) => void;
}

const SessionContext = createContext<SessionValue>({
  hasToken: false,
  leave: () => undefined,
  refuse: () => undefined,
});

export const useSession = (): SessionValue => use(SessionContext);

/** Gives the views a client, and asks for a token if the server requires one. Each token has its own client and cache. */
export function Session({ children }: { readonly children: ReactNode }) {
  const [current, setCurrent] = useState(token.read);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [client, setClient] = useState(() => createApiClient(setRefusal));
  const change = (value: string | null): void => {
    token.write(value);
    setCurrent(value);
    setRefusal(null);
    setClient(createApiClient(setRefusal));
  };
  return (
    <SessionContext value={{ hasToken: current !== null, leave: () => change(null), refuse: setRefusal }}>
      <Provider value={client}>
        {refusal === null ? (
          <Fragment key={current}>{children}</Fragment>
        ) : (
          <TokenForm reason={refusal} hasToken={current !== null} onToken={change} />
        )}
      </Provider>
    </SessionContext>
  );
}
