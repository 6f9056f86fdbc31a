import type { Failure } from '../api/client';

/** Shows the message and the code of a failure. */
export function FailureText({ failure: { code, message } }: { readonly failure: Failure }) {
  return (
    <p className="failure" role="alert">
      <span className="failed">{message}</span> <span className="muted">{code}</span>
    </p>
  );
}
