import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '../authentication/authenticator.js';
import { AuthenticationUnavailable, Unauthenticated } from '../authentication/credentials.js';
import type { Viewer } from '../../model/viewer.js';
import type { HttpError } from './httpError.js';

/** Sets the viewer of a request. Calls `done` synchronously if the credentials are cached. */
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

/** Returns the answer for an authentication failure. Null for other errors. */
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
