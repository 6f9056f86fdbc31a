import { formatCount } from '../../components/format';
import { referenceTo } from '../../components/terms';
import type { WhatIfInput } from '../../generated/fleet/operations';

/** Copies of a host. */
export interface Copies {
  readonly host: string;
  readonly count: number;
}

/** A modified fleet: the current one without some hosts and with copies of others. */
export interface WhatIf {
  readonly without: readonly string[];
  readonly copies: readonly Copies[];
}

/** Reads a fleet from an address such as `without=host-00001&copy=host-00002:4`. */
export function readWhatIf(address: URLSearchParams): WhatIf {
  const copies = address.getAll('copy').flatMap((text) => {
    const [, host, count] = /^(.+):(\d{1,4})$/.exec(text) ?? [];
    return host === undefined ? [] : [{ host, count: Number(count) }];
  });
  return { without: address.getAll('without'), copies };
}

/** Replaces the fleet of an address. */
export function writeWhatIf(address: URLSearchParams, { without, copies }: WhatIf): URLSearchParams {
  const after = new URLSearchParams(address);
  for (const name of ['without', 'copy']) after.delete(name);
  for (const host of without) after.append('without', host);
  for (const { host, count } of copies) after.append('copy', `${host}:${count}`);
  return after;
}

/** Returns the input of the API; undefined for the current fleet. */
export function whatIfInput({ without, copies }: WhatIf): WhatIfInput | undefined {
  if (without.length === 0 && copies.length === 0) return undefined;
  return {
    ...(without.length > 0 && { remove: { providers: without.map(referenceTo) } }),
    add: copies.map(({ host, count }) => ({ copyOf: referenceTo(host), count })),
  };
}

/** Returns a text such as "without 3 hosts, with 2 copies of host-00001"; empty for the current fleet. */
export function describeWhatIf({ without, copies }: WhatIf): string {
  const total = copies.reduce((sum, { count }) => sum + count, 0);
  const of = copies.length === 1 ? copies[0].host : formatCount(copies.length, 'host');
  return [
    ...(without.length > 0
      ? [`without ${without.length === 1 ? without[0] : formatCount(without.length, 'host')}`]
      : []),
    ...(copies.length > 0 ? [`with ${formatCount(total, 'copy', 'copies')} of ${of}`] : []),
  ].join(', ');
}
