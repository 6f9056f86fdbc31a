import type { Failure } from '../api/client';

/** Why something was not done. */
export function FailureText({ failure: { code, message } }: { readonly failure: Failure }) {
  return (
    <p className="failure" role="alert">
      <span className="failed">{message}</span> <span className="muted">{code}</span>
    </p>
  );
}
