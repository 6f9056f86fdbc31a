import { randomUUID } from 'node:crypto';
import type { ProviderFilter } from '../../model/request.js';
import { normalizeUuid } from '../../model/input.js';
import { NotFound } from '../../model/rejections.js';
import { createProvider, deleteProvider } from '../../store/ledger/provider/providers.js';
import { updateProvider } from '../../store/ledger/provider/updateProvider.js';
import { listFromSnapshot } from '../../search/listing/currentListing.js';
import type { ProviderEntity } from '../entities.js';
import { ListedProvider } from '../candidates/snapshotProvider.js';
import type { Context } from '../context.js';
import { resetLoaders } from '../mutation.js';
import { latestChange, listBody, type RestAnswer, type RestRequest } from './answer.js';
import { has } from './microversion.js';
import { parseMemberOf, parseResources, parseTraits } from './query.js';
import { naming, RestError } from './restErrors.js';
import type { ProviderBody } from './schemas/resourceProviders.js';
import { withUnknownNames } from './unknownNames.js';

/**
 * Returns a provider by the uuid of a path, in any spelling.
 * @param purpose the end of the message
 * @throws RestError 404 if there is none
 */
export async function providerOfPath(
  { params, context }: Pick<RestRequest, 'params' | 'context'>,
  purpose = '',
): Promise<ProviderEntity> {
  const uuid = normalizeUuid(params.uuid);
  const provider = uuid === undefined ? null : await context.loaders.providers.byUuid(uuid);
  if (provider !== null) return provider;
  throw new RestError(404, `No resource provider with uuid ${params.uuid} found${purpose}`);
}

export async function show(request: RestRequest): Promise<RestAnswer> {
  const provider = await providerOfPath(request);
  return answerWith(provider, request);
}

async function answerWith(provider: ProviderEntity, request: RestRequest): Promise<RestAnswer> {
  const parents = await parentsOf(provider, request.context);
  return {
    status: 200,
    body: providerBody({ ...provider, ...parents }, request),
    lastModified: latestChange([provider]),
  };
}

interface Parents {
  readonly parentUuid: string | null;
  readonly rootUuid: string;
}

async function parentsOf(
  { id, uuid, parentId, rootId }: ProviderEntity,
  { loaders }: Context,
): Promise<Parents> {
  const uuidOf = async (of: number): Promise<string | null> =>
    of === id ? uuid : ((await loaders.providers.byId(of))?.uuid ?? null);
  const [parentUuid, rootUuid] = await Promise.all([
    parentId === null ? null : uuidOf(parentId),
    uuidOf(rootId),
  ]);
  return { parentUuid, rootUuid: rootUuid ?? uuid };
}

type ShownProvider = Pick<ProviderEntity, 'uuid' | 'name' | 'generation'> & Parents;

function providerBody(
  { uuid, name, generation, parentUuid, rootUuid }: ShownProvider,
  { version, mount }: Pick<RestRequest, 'version' | 'mount'>,
): object {
  const url = `${mount}/resource_providers/${uuid}`;
  const links = linksOf(version).map((rel) => ({ rel, href: `${url}/${rel}` }));
  return {
    uuid,
    name,
    generation,
    links: [{ rel: 'self', href: url }, ...links],
    ...(has.parentProvider(version) && { parent_provider_uuid: parentUuid, root_provider_uuid: rootUuid }),
  };
}

function linksOf(version: number): string[] {
  return [
    'inventories',
    'usages',
    ...(has.aggregatesLink(version) ? ['aggregates'] : []),
    ...(has.traitsLink(version) ? ['traits'] : []),
    ...(has.allocationsLink(version) ? ['allocations'] : []),
  ];
}

/** The number of providers of a list: all. */
const ALL = Number.MAX_SAFE_INTEGER;

export async function list(request: RestRequest): Promise<RestAnswer> {
  const { context, version, query } = request;
  const { snapshots, operation } = context;
  const filter = filterOf(query, version);
  const work = listFromSnapshot(snapshots, filter, [], { limit: ALL }, operation);
  const { snapshot, rows } = await withUnknownNames(work, context, filter);
  operation.countObjects(rows.length);
  // clients delete a tree from the end of its list, so that parents come first
  const found = rows.map((row) => new ListedProvider(snapshot, row)).sort((one, other) => one.id - other.id);
  return {
    status: 200,
    body: listBody(operation, 'resource_providers', found, (row) => providerBody(listed(row), request)),
    lastModified: latestChange(found),
  };
}

function listed(row: ListedProvider): ShownProvider {
  const { uuid, name, generation, parent, root } = row;
  return { uuid, name, generation, parentUuid: parent?.uuid ?? null, rootUuid: root.uuid };
}

function filterOf(query: URLSearchParams, version: number): ProviderFilter {
  const last = (name: string): string | undefined => query.getAll(name).at(-1);
  const traits = parseTraits(query.getAll('required'), version);
  const aggregates = parseMemberOf(query.getAll('member_of'), version);
  const resources = last('resources');
  const uuidOf = (name: string): string | undefined => {
    const text = last(name);
    return text === undefined ? undefined : normalizeUuid(text);
  };
  return {
    name: last('name') || null,
    uuid: uuidOf('uuid'),
    inTree: uuidOf('in_tree'),
    resources: resources === undefined ? [] : parseResources(resources),
    requiredTraits: traits.required,
    forbiddenTraits: traits.forbidden,
    memberOf: aggregates.required,
    forbiddenAggregates: aggregates.forbidden,
  };
}

export async function create(request: RestRequest<ProviderBody>): Promise<RestAnswer> {
  const { body, version, context } = request;
  const uuid = body.uuid === undefined ? randomUUID() : normalizeUuid(body.uuid)!;
  const parent = body.parent_provider_uuid == null ? null : normalizeUuid(body.parent_provider_uuid)!;
  const unable = `Unable to create resource provider "${body.name}", ${uuid}:`;
  if (parent === uuid) throw new RestError(400, `${unable} parent provider UUID cannot be same as UUID.`);
  await naming(createProvider(context.ledger, { name: body.name, uuid, parent }), (error) =>
    isMissing(error, parent) ? `${unable} parent provider UUID does not exist.` : null,
  );
  const location = `/resource_providers/${uuid}`;
  if (!has.createdProviderInBody(version)) return { status: 201, location };
  return { ...(await answerWith(await refreshed({ uuid }, request), request)), location };
}

export async function update(request: RestRequest<ProviderBody>): Promise<RestAnswer> {
  const { body, version, context } = request;
  const { uuid } = await providerOfPath(request);
  const { parent_provider_uuid: parentText } = body;
  const parent = parentText == null ? null : normalizeUuid(parentText)!;
  const edit = {
    resourceProvider: uuid,
    name: body.name,
    parent: parentText === undefined ? undefined : (parent ?? { none: true }),
    isParentFixed: !has.reparenting(version),
    step: 0,
  };
  await naming(updateProvider(context.ledger, edit), (error) =>
    isMissing(error, parent)
      ? `Unable to save resource provider ${uuid}: parent provider UUID does not exist.`
      : null,
  );
  return answerWith(await refreshed({ uuid }, request), request);
}

function isMissing(error: unknown, uuid: string | null): boolean {
  return error instanceof NotFound && error.key === uuid;
}

export async function remove(request: RestRequest): Promise<RestAnswer> {
  const { uuid } = await providerOfPath(request, ' for delete');
  await deleteProvider(request.context.ledger, { resourceProvider: uuid });
  return { status: 204 };
}

/** Reads a provider again after it was written. */
export function refreshed(
  { uuid }: Pick<ProviderEntity, 'uuid'>,
  { context }: RestRequest,
): Promise<ProviderEntity> {
  resetLoaders(context);
  return providerOfPath({ params: { uuid }, context });
}
