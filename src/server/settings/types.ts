import { isIP, isIPv6 } from 'node:net';
import * as z from 'zod';
import { isSecureUrl } from '../authentication/settings.js';

/** Kinds of settings. Each reads what a file has, and text, which is all that flags and variables have. */

/** Returns values that are not text unchanged. */
const fromText = <T extends z.ZodType>(read: (value: string) => unknown, type: T) =>
  z.preprocess((value) => (typeof value === 'string' ? read(value) : value), type);

const withoutBrackets = (name: string): string => name.replace(/^\[(.*)\]$/, '$1');
const withBrackets = (name: string): string => (isIPv6(name) ? `[${name}]` : name);

const toNumber = (value: string): unknown => (value.trim() === '' ? value : Number(value));

export function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return fromText(toNumber, z.number(message).int(message).min(least, message).max(most, message));
}

export function seconds(most: number) {
  const message = `must be a number of seconds above 0 and up to ${most}`;
  return fromText(toNumber, z.number(message).positive(message).max(most, message));
}

export function secondsOrNone(most: number) {
  const message = `must be a number of seconds from 0 to ${most}`;
  return fromText(toNumber, z.number(message).min(0, message).max(most, message));
}

export function boolean() {
  const words: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };
  return fromText((value) => words[value] ?? value, z.boolean('must be true or false'));
}

export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

/** A name or the path of a file. */
export function name() {
  return z.string().min(1);
}

/** Text has commas between the members. */
function list<T extends z.ZodType>(member: T, message: string) {
  const members = (value: string): string[] => value.split(',').map((part) => part.trim());
  return fromText(members, z.array(member, message));
}

/** A name or an address, an IPv6 one with brackets or without, but no port. */
const HOST = /^(?:[\w.-]+|\[?[\da-f:.]*:[\da-f:.]*\]?)$/i;

export function host() {
  const message = 'must be an address or a name of this machine, such as 0.0.0.0, :: or placement.example';
  return z.string(message).regex(HOST, message).transform(withoutBrackets);
}

export function listOfHosts() {
  const message = 'must be a list of host names, without ports';
  return list(z.string(message).regex(HOST, message).transform(withBrackets), message);
}

export function listOfNetworks() {
  const message = 'must be a list of addresses and networks, such as 10.0.0.7, 10.0.0.0/8';
  return list(z.string(message).refine(isNetwork, message), message);
}

function isNetwork(network: string): boolean {
  const [address, length, ...rest] = network.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128));
}

export function listOfOrigins() {
  const message = 'must be a list of origins such as https://console.example, without a path, or *';
  return list(z.string(message).refine(isOrigin, message), message);
}

/** An origin as browsers write it: without the default port of the protocol. */
function isOrigin(origin: string): boolean {
  if (origin === '*') return true;
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/.test(origin) || !URL.canParse(origin)) return false;
  const { origin: written } = new URL(origin);
  // a scheme that the standard does not know, such as that of a browser's extension, has none there
  return written === 'null' || written === origin;
}

/** Empty text is an empty list. */
export function listOfTraits() {
  return listOfNames('must be a list of traits, such as COMPUTE_STATUS_DISABLED');
}

export function listOfConsumerTypes() {
  return listOfNames('must be a list of consumer types, such as MIGRATION');
}

/** A list of names of upper-case letters, which may be empty. */
function listOfNames(message: string) {
  const names = z.array(z.string(message).regex(/^[A-Z0-9_]{1,255}$/, message), message);
  return z.preprocess((value) => (value === '' ? [] : value), list(z.string(message), message).pipe(names));
}

/** One or more of these words. */
export function listOf<Word extends string>(words: readonly Word[]) {
  const message = `must be one or more of ${words.join(', ')}`;
  return list(z.enum(words, message), message).refine((given) => given.length > 0, message);
}

/** An address whose answers can be trusted. */
export function secureUrl() {
  const message = 'must be an address with https://, or with http:// on this machine';
  return z.string(message).refine(isSecureUrl, message);
}

export function httpUrl() {
  const message = 'must be an address with https:// or http://';
  return z.string(message).refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), message);
}

export function databaseUrl() {
  const message = 'must look like mysql://user:password@host:3306/database';
  return z.string(message).regex(/^(mysql|mariadb):\/\//, message);
}
