import type { IncomingHttpHeaders } from 'node:http';
import { RestError } from './restErrors.js';

/** The supported minor versions of the major version 1. A request without a version gets the first one. */
export const FIRST = 0;
export const LATEST = 39;

export const VERSION_HEADER = 'openstack-api-version';
const SERVICE = 'placement';
const LEGACY_HEADER = 'x-openstack-placement-api-version';

/** The first minor version with each feature that changes the form of an answer or the meaning of a request. */
const SINCE = {
  aggregatesLink: 1,
  traitsLink: 6,
  allocationsLink: 11,
  allocationsByProvider: 12,
  consumersOfAllocations: 12,
  parentProvider: 14,
  cacheHeaders: 15,
  traitsOfSummaries: 17,
  aggregateGenerations: 19,
  createdProviderInBody: 20,
  forbiddenTraits: 22,
  severalMemberOf: 24,
  reservedEqualToTotal: 26,
  allClassesOfSummaries: 27,
  consumerGenerations: 28,
  nestedProviders: 29,
  forbiddenAggregates: 32,
  namedGroups: 33,
  mappings: 34,
  subtrees: 36,
  reparenting: 37,
  consumerTypes: 38,
  anyOfTraits: 39,
} as const;

export type Feature = keyof typeof SINCE;

/** For each feature, whether a minor version has it. */
export const has = Object.fromEntries(
  Object.entries(SINCE).map(([feature, since]) => [feature, (version: number) => version >= since]),
) as Readonly<Record<Feature, (version: number) => boolean>>;

export function versionText(version: number): string {
  return `1.${version}`;
}

/** The value of the version header of an answer. */
export function versionHeader(version: number): string {
  return `${SERVICE} ${versionText(version)}`;
}

/**
 * Returns the minor version that a request asks for. The header may list the versions of several services. If it names
 * this service more than once, the last version counts.
 *
 * @throws RestError 400 for a malformed version, 406 for one that is not supported
 */
export function requestedVersion(headers: IncomingHttpHeaders): number {
  const text = versionOfService(headers);
  if (text === null) return FIRST;
  if (text.toLowerCase() === 'latest') return LATEST;
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(text) ?? [];
  if (major === undefined) throw new RestError(400, `invalid version string: ${text}`);
  if (Number(major) === 1 && Number(minor) <= LATEST) return Number(minor);
  throw new RestError(406, `Unacceptable version header: ${text}`, undefined, {
    max_version: versionText(LATEST),
    min_version: versionText(FIRST),
  });
}

function versionOfService(headers: IncomingHttpHeaders): string | null {
  const entries = textOf(headers[VERSION_HEADER])
    .split(',')
    .map((entry) => /^(\S+)\s+(.*)$/s.exec(entry.trim()) ?? [])
    .filter(([, service = '']) => service.toLowerCase() === SERVICE);
  const standard = entries.at(-1)?.[2].trim();
  return standard ?? (textOf(headers[LEGACY_HEADER]).trim() || null);
}

/** Node joins repeated headers of this kind with commas; its types also allow a list. */
function textOf(header: string | string[] | undefined): string {
  return header === undefined ? '' : String(header);
}
