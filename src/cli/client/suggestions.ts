import { FindSimilarDocument, type ResourceProviderFilter } from '../../generated/client/operations.js';
import { UUID } from './arguments.js';
import type { Client } from './client.js';
import { Failure, type UnknownName } from './failure.js';

/** A filter by a name. The server rejects an unknown name, and suggests similar ones in its message. */
const FILTERS: Readonly<Record<UnknownName['kind'], (name: string) => ResourceProviderFilter>> = {
  'resource provider': (name) => ({ inTree: { name } }),
  aggregate: (name) => ({ memberOf: [[{ name }]] }),
  trait: (name) => ({ requiredTraits: [[name]] }),
  'resource class': (name) => ({ resources: [{ resourceClass: name, amount: 1 }] }),
};

/** Rethrows an error, with similar names if it is a Failure because of an unknown one. */
export async function suggest(client: Client, error: unknown): Promise<never> {
  if (!(error instanceof Failure) || !error.unknown || UUID.test(error.unknown.name)) throw error;
  const { kind, name } = error.unknown;
  const message = await client.run(FindSimilarDocument, { filter: FILTERS[kind](name) }).then(
    () => '',
    (rejection: Error) => rejection.message,
  );
  const [suggestion = ''] = /; did you mean .*/.exec(message) ?? [];
  throw error.withMessage(error.message + suggestion);
}
