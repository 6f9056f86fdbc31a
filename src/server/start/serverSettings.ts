import { isIP } from 'node:net';
import type { ProcessSettings } from '../process.js';
import { HTTP_LIMITS } from '../http/httpServer.js';
import type { ServerOptions } from '../server.js';
import type { Settings } from '../settings/definitions.js';

export function processSettings(settings: Settings): ProcessSettings {
  return {
    slow: 1_000 * settings['log.slowSeconds'],
    linesPerSecond: settings['log.operationsPerSecond'],
    excludedRootTraits: settings['search.excludedRootTraits'],
    ignoredQuotaTypes: settings['quotas.ignoredTypes'],
    limits: {
      deadline: 1_000 * settings['operations.seconds'],
      values: settings['operations.values'],
      cost: settings['operations.cost'],
      costInAll: settings['operations.costInAll'],
      smallCost: settings['operations.smallCost'],
      smallCostInAll: settings['operations.smallCostInAll'],
      candidates: settings['operations.candidates'],
      longestQueue: settings['operations.longestQueue'],
      longestWait: 1_000 * settings['operations.longestWaitSeconds'],
    },
  };
}

/** The default delay for writes of OpenStack Placement on the same database. */
const BESIDE_PLACEMENT_SECONDS = 2;

/** Returns the delay after which external writes are visible (ms). Undefined means the default. */
export function seenWithin(settings: Settings, isShared: boolean): number | undefined {
  const seconds = settings['foreignWrites.seconds'] ?? (isShared ? BESIDE_PLACEMENT_SECONDS : null);
  return seconds === null ? undefined : 1_000 * seconds;
}

/** The minimum drain (ms), in which answers close connections. Cutting one may lose a request. */
const MIN_DRAIN_MS = 200;

export function drainOf(settings: Settings): number {
  return Math.max(1_000 * settings['workers.drainSeconds'], MIN_DRAIN_MS);
}

export function serverOptions(settings: Settings): ServerOptions {
  const host = settings['http.host'];
  return {
    allowedHosts: [...settings['http.allowedHosts'], ...(isIP(host) ? [] : [host])],
    allowedOrigins: settings['http.allowedOrigins'],
    trustedProxies: settings['http.trustedProxies'],
    longestBody: settings['http.longestBody'],
    hasGraphiql: settings['graphql.graphiql'],
    hasDashboard: settings['http.dashboard'],
    hasIntrospection: settings['graphql.introspection'],
    hasCompression: settings['http.compression'],
    drain: drainOf(settings),
    rest: settings['rest.enabled']
      ? {
          port: settings['rest.port'],
          reshapeRoles: settings['rest.reshapeRoles'],
          candidates: settings['rest.candidates'],
          randomizeCandidates: settings['rest.randomizeCandidates'],
          keystoneUrl: settings['keystone.url'],
        }
      : null,
    limits: {
      ...HTTP_LIMITS,
      connections: settings['http.connections'],
      requestsOfConnection: settings['http.requestsOfConnection'],
      headersTimeout: 1_000 * settings['http.headersSeconds'],
      requestTimeout: 1_000 * settings['http.requestSeconds'],
      keepAlive: 1_000 * settings['http.keepAliveSeconds'],
      unreadTimeout: 1_000 * settings['http.unreadSeconds'],
    },
  };
}
