import * as aggregates from './aggregates.js';
import * as allocations from './allocations.js';
import type { Handler } from './answer.js';
import * as candidates from './candidates.js';
import * as inventories from './inventories.js';
import { LATEST } from './microversion.js';
import * as providers from './providers.js';
import { reshape } from './reshaper.js';
import * as resourceClasses from './resourceClasses.js';
import type { Schema } from './schemaCheck.js';
import * as allocationSchemas from './schemas/allocations.js';
import * as candidateSchemas from './schemas/candidates.js';
import * as catalogSchemas from './schemas/catalog.js';
import * as inventorySchemas from './schemas/inventories.js';
import * as reshapeSchemas from './schemas/reshaper.js';
import * as providerSchemas from './schemas/resourceProviders.js';
import * as traits from './traits.js';
import * as usages from './usages.js';
import { versionDocument } from './versionDocument.js';

/**
 * Who may use a route: everybody, without credentials; the roles admin and service; the roles of the setting
 * `rest.reshapeRoles`; or admin, service and the readers of the project that the query names.
 */
export type Policy = 'anyone' | 'writer' | 'reshaper' | 'readerOfProject';

/** A schema from each of these minor versions on, the oldest first. */
type Schemas = readonly (readonly [since: number, schema: Schema])[];

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

export interface Route {
  readonly method: Method;
  readonly path: string;
  /** The first and the last minor version of the route. Default: all. */
  readonly since?: number;
  readonly until?: number;
  /** The status of the route before its first version. Default: 404. */
  readonly statusBefore?: 405;
  /** Default: writer. */
  readonly policy?: Policy;
  /** The schema of the query. Default: the handler ignores the query. */
  readonly query?: Schemas;
  /** The schema of the body. Default: the route takes none. */
  readonly body?: Schemas;
  /** Whether the answer has JSON, so that the client must accept it. Default: for GET. */
  readonly hasJson?: boolean;
  /** The estimated cost, without the body. Default: 1. */
  readonly cost?: number;
  readonly handler: Handler;
}

/** All routes of the API. A request is answered by the route of its method and path that has its version. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/', policy: 'anyone', hasJson: false, handler: versionDocument },

  {
    method: 'GET',
    path: '/resource_providers',
    query: [
      [0, providerSchemas.LIST_BY_NAME],
      [3, providerSchemas.LIST_BY_AGGREGATE],
      [4, providerSchemas.LIST_BY_RESOURCES],
      [14, providerSchemas.LIST_BY_TREE],
      [18, providerSchemas.LIST_BY_TRAITS],
    ],
    handler: providers.list,
  },
  {
    method: 'POST',
    path: '/resource_providers',
    body: [
      [0, providerSchemas.CREATE_PROVIDER],
      [14, providerSchemas.CREATE_NESTED_PROVIDER],
    ],
    handler: providers.create,
  },
  { method: 'GET', path: '/resource_providers/{uuid}', handler: providers.show },
  {
    method: 'PUT',
    path: '/resource_providers/{uuid}',
    body: [
      [0, providerSchemas.UPDATE_PROVIDER],
      [14, providerSchemas.UPDATE_NESTED_PROVIDER],
    ],
    handler: providers.update,
  },
  { method: 'DELETE', path: '/resource_providers/{uuid}', handler: providers.remove },

  { method: 'GET', path: '/resource_providers/{uuid}/inventories', handler: inventories.list },
  {
    method: 'POST',
    path: '/resource_providers/{uuid}/inventories',
    body: [[0, inventorySchemas.CREATE_INVENTORY]],
    handler: inventories.create,
  },
  {
    method: 'PUT',
    path: '/resource_providers/{uuid}/inventories',
    body: [[0, inventorySchemas.REPLACE_INVENTORIES]],
    handler: inventories.replaceAll,
  },
  {
    method: 'DELETE',
    path: '/resource_providers/{uuid}/inventories',
    since: 5,
    statusBefore: 405,
    handler: inventories.removeAll,
  },
  {
    method: 'GET',
    path: '/resource_providers/{uuid}/inventories/{resource_class}',
    handler: inventories.show,
  },
  {
    method: 'PUT',
    path: '/resource_providers/{uuid}/inventories/{resource_class}',
    body: [[0, inventorySchemas.REPLACE_INVENTORY]],
    handler: inventories.replace,
  },
  {
    method: 'DELETE',
    path: '/resource_providers/{uuid}/inventories/{resource_class}',
    handler: inventories.remove,
  },
  { method: 'GET', path: '/resource_providers/{uuid}/usages', handler: inventories.usages },

  { method: 'GET', path: '/resource_providers/{uuid}/aggregates', since: 1, handler: aggregates.list },
  {
    method: 'PUT',
    path: '/resource_providers/{uuid}/aggregates',
    since: 1,
    body: [
      [1, catalogSchemas.AGGREGATES],
      [19, catalogSchemas.SET_AGGREGATES],
    ],
    handler: aggregates.set,
  },

  { method: 'GET', path: '/resource_providers/{uuid}/traits', since: 6, handler: traits.listOfProvider },
  {
    method: 'PUT',
    path: '/resource_providers/{uuid}/traits',
    since: 6,
    body: [[6, catalogSchemas.SET_TRAITS]],
    handler: traits.setOfProvider,
  },
  { method: 'DELETE', path: '/resource_providers/{uuid}/traits', since: 6, handler: traits.clearOfProvider },

  {
    method: 'GET',
    path: '/traits',
    since: 6,
    query: [[6, catalogSchemas.LIST_TRAITS]],
    handler: traits.list,
  },
  { method: 'GET', path: '/traits/{name}', since: 6, hasJson: false, handler: traits.show },
  { method: 'PUT', path: '/traits/{name}', since: 6, handler: traits.create },
  { method: 'DELETE', path: '/traits/{name}', since: 6, handler: traits.remove },

  { method: 'GET', path: '/resource_classes', since: 2, handler: resourceClasses.list },
  {
    method: 'POST',
    path: '/resource_classes',
    since: 2,
    body: [[2, catalogSchemas.CUSTOM_CLASS]],
    handler: resourceClasses.create,
  },
  { method: 'GET', path: '/resource_classes/{name}', since: 2, handler: resourceClasses.show },
  {
    method: 'PUT',
    path: '/resource_classes/{name}',
    since: 2,
    until: 6,
    body: [[2, catalogSchemas.CUSTOM_CLASS]],
    handler: resourceClasses.rename,
  },
  { method: 'PUT', path: '/resource_classes/{name}', since: 7, handler: resourceClasses.ensure },
  { method: 'DELETE', path: '/resource_classes/{name}', since: 2, handler: resourceClasses.remove },

  {
    method: 'GET',
    path: '/usages',
    since: 9,
    policy: 'readerOfProject',
    query: [
      [9, catalogSchemas.USAGES],
      [38, catalogSchemas.USAGES_BY_TYPE],
    ],
    handler: usages.total,
  },

  { method: 'GET', path: '/resource_providers/{uuid}/allocations', handler: allocations.listOfProvider },
  { method: 'GET', path: '/allocations/{consumer}', handler: allocations.showConsumer },
  {
    method: 'PUT',
    path: '/allocations/{consumer}',
    body: [
      [0, allocationSchemas.PUT_LIST],
      [8, allocationSchemas.PUT_OWNED_LIST],
      [12, allocationSchemas.PUT_BY_PROVIDER],
      [28, allocationSchemas.PUT_WITH_GENERATION],
      [34, allocationSchemas.PUT_WITH_MAPPINGS],
      [38, allocationSchemas.PUT_WITH_TYPE],
    ],
    handler: allocations.replaceConsumer,
  },
  { method: 'DELETE', path: '/allocations/{consumer}', handler: allocations.releaseConsumer },
  {
    method: 'POST',
    path: '/allocations',
    since: 13,
    body: [
      [13, allocationSchemas.POST_OWNED],
      [28, allocationSchemas.POST_WITH_GENERATION],
      [34, allocationSchemas.POST_WITH_MAPPINGS],
      [38, allocationSchemas.POST_WITH_TYPE],
    ],
    handler: allocations.replaceConsumers,
  },
  {
    method: 'POST',
    path: '/reshaper',
    since: 30,
    policy: 'reshaper',
    body: [
      [30, reshapeSchemas.RESHAPE],
      [34, reshapeSchemas.RESHAPE_WITH_MAPPINGS],
      [38, reshapeSchemas.RESHAPE_WITH_TYPE],
    ],
    handler: reshape,
  },
  {
    method: 'GET',
    path: '/allocation_candidates',
    since: 10,
    cost: 100,
    query: [
      [10, candidateSchemas.BY_RESOURCES],
      [16, candidateSchemas.LIMITED],
      [17, candidateSchemas.WITH_TRAITS],
      [21, candidateSchemas.WITH_AGGREGATES],
      [25, candidateSchemas.WITH_GROUPS],
      [31, candidateSchemas.WITH_TREES],
      [33, candidateSchemas.WITH_NAMED_GROUPS],
      [35, candidateSchemas.WITH_ROOT],
      [36, candidateSchemas.WITH_SUBTREES],
    ],
    handler: candidates.list,
  },
];

/** Returns the schema of a version. Null if there is none. */
export function schemaOf(schemas: Schemas | undefined, version: number): Schema | null {
  return schemas?.findLast(([since]) => since <= version)?.[1] ?? null;
}

export interface RoutesOfPath {
  readonly routes: readonly Route[];
  readonly params: Readonly<Record<string, string>>;
}

interface PathPattern {
  readonly segments: readonly string[];
  readonly routes: Route[];
}

const PATTERNS: readonly PathPattern[] = patternsOf(ROUTES);

function patternsOf(routes: readonly Route[]): PathPattern[] {
  const patterns = new Map<string, PathPattern>();
  for (const route of routes) {
    const pattern = patterns.get(route.path) ?? { segments: route.path.split('/'), routes: [] };
    pattern.routes.push(route);
    patterns.set(route.path, pattern);
  }
  return [...patterns.values()];
}

/** Returns the routes of a path, of all methods and versions. Null if no route has the path. */
export function routesOf(path: string): RoutesOfPath | null {
  const segments = path.split('/').map(decoded);
  for (const { segments: pattern, routes } of PATTERNS) {
    const params = matched(pattern, segments);
    if (params !== null) return { routes, params };
  }
  return null;
}

function matched(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [at, expected] of pattern.entries()) {
    const segment = segments[at];
    if (!expected.startsWith('{')) {
      if (segment !== expected) return null;
    } else if (segment === '' || segment.includes('/')) return null;
    else params[expected.slice(1, -1)] = segment;
  }
  return params;
}

/** Returns a segment without its percent-encoding. One that is encoded wrongly stands for itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the route of a method and version. Null if the version has none. */
export function routeOf(routes: readonly Route[], version: number): Route | null {
  return routes.find(({ since = 0, until = LATEST }) => since <= version && version <= until) ?? null;
}
