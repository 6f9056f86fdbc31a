import { randomUUID } from 'node:crypto';
import type { ProviderFilter } from '../../model/request.js';
import { InvalidInput, normalizeUuid } from '../../model/input.js';
import { NotFound } from '../../model/rejections.js';
import { createProvider, deleteProvider } from '../../store/ledger/provider/providers.js';
import {
  type WrittenProvider,
  type ProviderUpdate,
  updateProvider,
} from '../../store/ledger/provider/updateProvider.js';
import { allFromSnapshot } from '../../search/listing/currentListing.js';
import type { ProviderEntity } from '../entities.js';
import { ListedProvider } from '../candidates/snapshotProvider.js';
import type { SharedRead } from '../loaders/sharedReads.js';
import type { WithDetail } from '../provider/details.js';
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
  throw missing(params.uuid, purpose);
}

function missing(uuid: string, purpose = ''): RestError {
  return new RestError(404, `No resource provider with uuid ${uuid} found${purpose}`);
}

/**
 * Reads a provider by the uuid of a path, in any spelling, with its details, at one moment.
 * @throws RestError 404 if there is none
 */
export async function providerWith<Detail>(
  { params, context }: Pick<RestRequest, 'params' | 'context'>,
  reads: SharedRead<string, WithDetail<Detail>>,
): Promise<{ readonly provider: ProviderEntity; readonly details: readonly Detail[] }> {
  const uuid = normalizeUuid(params.uuid);
  const rows = uuid === undefined ? [] : await reads.of([uuid], context.operation);
  if (rows.length === 0) throw missing(params.uuid);
  return {
    provider: rows[0].provider,
    details: rows.flatMap(({ detail }) => (detail === null ? [] : [detail])),
  };
}

/**
 * Edits the provider of a path. Returns it with its generation after the write.
 * @throws RestError 404 if there is none
 */
export async function editProvider(
  request: Pick<RestRequest, 'params' | 'context'>,
  edit: Omit<ProviderUpdate, 'resourceProvider'>,
): Promise<WrittenProvider> {
  const { params, context } = request;
  const uuid = normalizeUuid(params.uuid);
  if (uuid === undefined) throw missing(params.uuid);
  return updateProvider(context.ledger, { ...edit, resourceProvider: uuid }).catch(async (error: unknown) => {
    // that there is no such provider comes before faults of the edit
    if (error instanceof NotFound || error instanceof InvalidInput) await providerOfPath(request);
    throw error;
  });
}

/** Reads and shows the provider of a path. */
export async function show(
  request: Pick<RestRequest, 'params' | 'context' | 'version' | 'mount'>,
): Promise<RestAnswer> {
  const { provider, details } = await providerWith(request, request.context.reads.withParents);
  return {
    status: 200,
    body: providerBody({ ...provider, ...details[0] }, request),
    lastModified: latestChange([provider]),
  };
}

interface Parents {
  readonly parentUuid: string | null;
  readonly rootUuid: string;
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

export async function list(request: RestRequest): Promise<RestAnswer> {
  const { context, version, query } = request;
  const { snapshots, operation } = context;
  const filter = filterOf(query, version);
  // clients delete a tree from the end of its list, so that parents come first
  const work = allFromSnapshot(snapshots, filter, operation);
  const { snapshot, providers } = await withUnknownNames(work, context, filter);
  operation.countObjects(providers.length);
  const found = providers.map((item) => new ListedProvider(snapshot, { item, place: [] }));
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
  await naming(
    createProvider(context.ledger, { name: body.name, uuid, parent, isUuidFirst: true }),
    (error) => (isMissing(error, parent) ? `${unable} parent provider UUID does not exist.` : null),
  );
  const location = `/resource_providers/${uuid}`;
  if (!has.createdProviderInBody(version)) return { status: 201, location };
  return { ...(await show({ ...request, params: { uuid } })), location };
}

export async function update(request: RestRequest<ProviderBody>): Promise<RestAnswer> {
  const { body, version } = request;
  const { parent_provider_uuid: parentText } = body;
  const parent = parentText == null ? null : normalizeUuid(parentText)!;
  const edit = {
    name: body.name,
    parent: parentText === undefined ? undefined : (parent ?? { none: true }),
    isParentFixed: !has.reparenting(version),
    step: 0,
  };
  await naming(editProvider(request, edit), (error) =>
    isMissing(error, parent)
      ? `Unable to save resource provider ${normalizeUuid(request.params.uuid)}: parent provider UUID does not exist.`
      : null,
  );
  return show(request);
}

function isMissing(error: unknown, uuid: string | null): boolean {
  return error instanceof NotFound && error.key === uuid;
}

export async function remove(request: RestRequest): Promise<RestAnswer> {
  const { uuid } = await providerOfPath(request, ' for delete');
  await deleteProvider(request.context.ledger, { resourceProvider: uuid });
  return { status: 204 };
}
