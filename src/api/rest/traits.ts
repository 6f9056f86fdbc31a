import { InvalidInput } from '../../model/input.js';
import { StandardIsImmutable } from '../../model/rejections.js';
import { createTrait, deleteTrait } from '../../store/ledger/provider/traits.js';
import { readTraits, type CatalogEntry, type CatalogFilter } from '../loaders/catalog.js';
import { latestChange, type RestAnswer, type RestRequest } from './answer.js';
import { editProvider, providerWith } from './providers.js';
import { naming, RestError } from './restErrors.js';
import type { SetTraitsBody } from './schemas/catalog.js';
import { unknownTraits } from './unknownNames.js';

export async function list({ query, context }: RestRequest): Promise<RestAnswer> {
  const traits = await readTraits(context.database, filterOf(query));
  return {
    status: 200,
    body: { traits: traits.map(({ name }) => name) },
    lastModified: latestChange(traits),
  };
}

function filterOf(query: URLSearchParams): CatalogFilter {
  const name = query.getAll('name').at(-1);
  const associated = query.getAll('associated').at(-1)?.toLowerCase();
  if (associated !== undefined && associated !== 'true' && associated !== 'false')
    throw new RestError(400, 'The query parameter "associated" only accepts "true" or "false"');
  return {
    ...(name !== undefined && byName(name)),
    ...(associated && { associated: associated === 'true' }),
  };
}

function byName(text: string): CatalogFilter {
  const [, operator, value] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (operator === 'in') return { nameIn: value.split(',') };
  if (operator === 'startswith') return { startsWith: value };
  if (operator !== undefined) return {};
  const form = '?name=[in|startswith]:[name1,name2|prefix]';
  throw new RestError(
    400,
    `Badly formatted name parameter. Expected name query string parameter in form: ${form}. Got: "${text}"`,
  );
}

export async function show(request: RestRequest): Promise<RestAnswer> {
  return { status: 204, lastModified: latestChange([await traitOf(request)]) };
}

async function traitOf({ params: { name }, context }: RestRequest): Promise<CatalogEntry> {
  const [trait] = await readTraits(context.database, { nameIn: [name] });
  if (trait === undefined) throw new RestError(404, `No such trait(s): ${name}.`);
  return trait;
}

export async function create(request: RestRequest): Promise<RestAnswer> {
  const { params, context } = request;
  const { created } = await naming(createTrait(context.ledger, { name: params.name }), (error) =>
    error instanceof InvalidInput
      ? 'The trait is invalid. A valid trait must be no longer than 255 characters, start with the prefix ' +
        '"CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_"'
      : null,
  );
  const lastModified = created ? new Date() : latestChange([await traitOf(request)]);
  return { status: created ? 201 : 204, location: `/traits/${params.name}`, lastModified };
}

export async function remove({ params: { name }, context }: RestRequest): Promise<RestAnswer> {
  await naming(deleteTrait(context.ledger, { name }), (error) =>
    error instanceof StandardIsImmutable ? `Cannot delete standard trait ${name}.` : null,
  );
  return { status: 204 };
}

export async function listOfProvider(request: RestRequest): Promise<RestAnswer> {
  const { provider, details } = await providerWith(request, request.context.reads.withTraits);
  return {
    status: 200,
    body: { traits: details.map(({ name }) => name), resource_provider_generation: provider.generation },
    lastModified: latestChange(details),
  };
}

export async function setOfProvider(request: RestRequest<SetTraitsBody>): Promise<RestAnswer> {
  const { body, context } = request;
  const set = [...new Set(body.traits)];
  const { resource_provider_generation: generation } = body;
  await editProvider(request, { generation, traits: { set } }).catch(async (error: unknown) => {
    if (!(error instanceof InvalidInput)) throw error;
    throw new RestError(400, `No such trait ${await unknownTraits(context, set)}`);
  });
  return listOfProvider(request);
}

export async function clearOfProvider(request: RestRequest): Promise<RestAnswer> {
  await editProvider(request, { traits: { set: [] } });
  return { status: 204 };
}
