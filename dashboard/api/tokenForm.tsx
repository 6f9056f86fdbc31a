import { useEffect, useId, type FormEvent } from 'react';
import { Brand } from '../components/brand';

interface TokenFormProps {
  /** The message of the server. */
  readonly reason: string;
  /** Whether the server rejected a token. */
  readonly hasToken: boolean;
  readonly onToken: (token: string) => void;
}

/** Asks for a token instead of showing the views. */
export function TokenForm({ reason, hasToken, onToken }: TokenFormProps) {
  const id = useId();
  useEffect(() => {
    document.title = 'Sign in · Placement';
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('token');
    if (typeof value === 'string' && value.trim() !== '') onToken(value.trim());
  };
  return (
    <main className="token-form">
      <p className="brand">
        <Brand />
      </p>
      <h1>{hasToken ? 'The server rejected the token' : 'The server requires a token'}</h1>
      <p>
        {hasToken ? reason : 'Enter a static token, a JWT of your identity provider, or a Keystone token.'}
      </p>
      <form onSubmit={submit}>
        <label htmlFor={id}>Token</label>
        <input
          id={id}
          name="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus
        />
        <button type="submit" className="primary">
          Sign in
        </button>
      </form>
      <p className="hint">The page keeps it until the tab is closed, and sends it to this server only.</p>
    </main>
  );
}
