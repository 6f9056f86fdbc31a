import { useId, type FormEvent } from 'react';

interface TokenFormProps {
  /** What the server said. */
  readonly reason: string;
  /** Whether a token was sent and refused. */
  readonly hasToken: boolean;
  readonly onToken: (token: string) => void;
}

/** Asks for a token in place of the views. */
export function TokenForm({ reason, hasToken, onToken }: TokenFormProps) {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('token');
    if (typeof value === 'string' && value.trim() !== '') onToken(value.trim());
  };
  return (
    <main className="token-form">
      <h1>{hasToken ? 'The token was not accepted' : 'This server wants a token'}</h1>
      <p>{reason}</p>
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
      <p className="hint">It is kept in this tab until you close it, and sent to this server alone.</p>
    </main>
  );
}
