import { FindSimilarDocument, type ResourceProviderFilter } from '../generated/client/operations.js';
import { UUID } from './arguments.js';
import type { Client } from './client.js';
import { Failure, type UnknownName } from './failure.js';

/** Filters by a name. If the name is unknown, the message of the server suggests similar ones. */
const FILTERS: Readonly<Record<UnknownName['kind'], (name: string) => ResourceProviderFilter>> = {
  'resource provider': (name) => ({ inTree: { name } }),
  aggregate: (name) => ({ memberOf: [[{ name }]] }),
  trait: (name) => ({ requiredTraits: [[name]] }),
  'resource class': (name) => ({ resources: [{ resourceClass: name, amount: 1 }] }),
};

/** Rethrows an error. Adds similar names to a Failure about an unknown name. */
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
