import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '../../authentication/authenticator.js';
import { AuthenticationUnavailable, Unauthenticated } from '../../authentication/credentials.js';
import type { Viewer } from '../../authentication/viewer.js';
import type { HttpError } from './httpError.js';

/** Finds out who sends a request; at once where the credentials are known. */
export function identify(
  authenticator: Authenticator,
  request: FastifyRequest,
  done: (failure?: Error) => void,
): void {
  const identified = (viewer: Viewer): void => {
    request.viewer = viewer;
    done();
  };
  let viewer: Viewer | Promise<Viewer>;
  try {
    viewer = authenticator.authenticate(request.headers);
  } catch (failure) {
    return done(failure as Error);
  }
  if (viewer instanceof Promise) viewer.then(identified, done);
  else identified(viewer);
}

/** The answer to a request whose sender could not be told; null: the failure is another one. */
export function authenticationError(failure: unknown): HttpError | null {
  if (failure instanceof Unauthenticated)
    return {
      status: 401,
      code: 'UNAUTHENTICATED',
      message: failure.message,
      headers: { 'www-authenticate': 'Bearer realm="placement-graphql"' },
    };
  if (!(failure instanceof AuthenticationUnavailable)) return null;
  const { message, retryAfter } = failure;
  return { status: 503, code: 'AUTHENTICATION_UNAVAILABLE', message, retryAfter };
}
