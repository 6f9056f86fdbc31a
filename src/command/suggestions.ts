import {
  FindSimilarDocument,
  FindAggregateNameDocument,
  NameProvidersDocument,
  type ResourceProviderFilter,
} from '../generated/client/operations.js';
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

/**
 * Rethrows an error. A Failure about an unknown name gets similar names, and others the names of the objects that the
 * server names by uuid.
 */
export async function suggest(client: Client, error: unknown): Promise<never> {
  if (!(error instanceof Failure)) throw error;
  if (!error.unknown) throw await withNames(client, error);
  const { kind, name } = error.unknown;
  const message = await client.run(FindSimilarDocument, { filter: FILTERS[kind](name) }).then(
    () => (UUID.test(name) ? `; name=${name} is the ${kind} with this name` : ''),
    (rejection: Error) => (UUID.test(name) ? '' : rejection.message),
  );
  const [suggestion = ''] = /; (?:did you mean|name=) ?.*/.exec(message) ?? [];
  throw error.withMessage(error.message + suggestion);
}

const UUIDS = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;

/** Replaces the uuids of providers and of an aggregate that the user has not given by their names. */
async function withNames(client: Client, failure: Failure): Promise<Failure> {
  const given = process.argv.join(' ').toLowerCase();
  const uuids = [...new Set(failure.message.match(UUIDS))].filter((uuid) => !given.includes(uuid));
  if (uuids.length === 0) return failure;
  const names = await namesOf(client, uuids, /\baggregate (\S+)/.exec(failure.message)?.[1]).catch(
    () => null,
  );
  return failure.withMessage(
    failure.message.replaceAll(UUIDS, (uuid) => {
      const name = names?.get(uuid);
      return name == null || given.includes(uuid) || failure.message.includes(`"${name}"`)
        ? uuid
        : `"${name}"`;
    }),
  );
}

/** The maximum number of uuids that are looked up. */
const MAX_UUIDS = 100;

async function namesOf(
  client: Client,
  uuids: readonly string[],
  aggregate: string | undefined,
): Promise<Map<string, string | null>> {
  const { resourceProviders } = await client.run(NameProvidersDocument, { uuids: uuids.slice(0, MAX_UUIDS) });
  const names = new Map<string, string | null>(
    resourceProviders!.nodes.map(({ uuid, name }) => [uuid, name]),
  );
  if (aggregate === undefined || !uuids.includes(aggregate)) return names;
  const found = await client.run(FindAggregateNameDocument, { uuid: aggregate });
  return names.set(aggregate, found.aggregate?.name ?? null);
}
