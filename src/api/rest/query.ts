import { normalizeUuid } from '../../model/input.js';
import { distinctSets, type Alternatives, type ResourceAmount } from '../../model/request.js';
import { has } from './microversion.js';
import { RestError } from './restErrors.js';

/** The grammar of the parameters that lists of providers and of candidates share. */

/** An unknown or repeated parameter, or a value of the wrong form. */
function invalid(text: string): RestError {
  return new RestError(400, `Invalid query string parameters: ${text}`);
}

/** Parses `VCPU:2,MEMORY_MB:1024`. If a class is repeated, its last amount counts. */
export function parseResources(text: string): ResourceAmount[] {
  const form =
    'Badly formed resources parameter. Expected resources query string parameter in form: ' +
    '?resources=VCPU:2,MEMORY_MB:1024. Got:';
  if (text.trim() === '') throw new RestError(400, `${form} empty string.`);
  const amounts = new Map<string, number>();
  for (const entry of text.split(',')) {
    const [resourceClass, amount, ...more] = entry.split(':');
    if (amount === undefined || more.length > 0) throw new RestError(400, `${form} ${entry}.`);
    amounts.set(resourceClass, parseAmount(resourceClass, amount));
  }
  return Array.from(amounts, ([resourceClass, amount]) => ({ resourceClass, amount }));
}

function parseAmount(resourceClass: string, text: string): number {
  const of = `Requested resource ${resourceClass}`;
  if (!/^\s*[+-]?\d+\s*$/.test(text))
    throw new RestError(400, `${of} expected positive integer amount. Got: ${text}.`);
  const amount = Number(text);
  if (amount < 1) throw new RestError(400, `${of} requires amount >= 1. Got: ${text}.`);
  return amount;
}

export interface TraitConditions {
  /** The inner lists are alternatives. */
  readonly required: Alternatives;
  readonly forbidden: readonly string[];
}

/** Parses all values of a parameter of traits. Versions without alternatives read only the last value. */
export function parseTraits(values: readonly string[], version: number): TraitConditions {
  const read = has.anyOfTraits(version) ? values : values.slice(-1);
  const parts = read.map((value) => parseTraitsOf(value, version));
  return {
    required: distinctSets(parts.flatMap(({ required }) => required)),
    forbidden: [...new Set(parts.flatMap(({ forbidden }) => forbidden))],
  };
}

const ANY_OF = 'in:';

function parseTraitsOf(text: string, version: number): TraitConditions {
  if (text.startsWith(ANY_OF)) return { required: [parseAnyOf(text, version)], forbidden: [] };
  const names = text.split(',').map((name) => name.trim());
  const isForbidden = (name: string): boolean => name.startsWith('!');
  const forbidden = names.filter(isForbidden).map((name) => name.replace(/^!+/, ''));
  const allowsForbidden = has.forbiddenTraits(version);
  const form = `Expected 'required' parameter value of the form: HW_CPU_X86_VMX,${allowsForbidden ? '!' : ''}CUSTOM_MAGIC.`;
  if ([...names, ...forbidden].includes('')) throw invalid(`${form} Got an empty trait in: ${text}`);
  if (forbidden.length > 0 && !allowsForbidden) throw invalid(`${form} Got: ${text}`);
  return { required: names.filter((name) => !isForbidden(name)).map((name) => [name]), forbidden };
}

function parseAnyOf(text: string, version: number): string[] {
  const form = 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC';
  if (!has.anyOfTraits(version))
    throw invalid(`The format '${form}' only supported since microversion 1.39. Got: ${text}`);
  const names = [
    ...new Set(
      text
        .slice(ANY_OF.length)
        .split(',')
        .map((name) => name.trim()),
    ),
  ];
  if (names.includes(''))
    throw invalid(`Expected 'required' parameter value of the form: ${form}. Got an empty trait in: ${text}`);
  if (names.some((name) => name.startsWith('!')))
    throw invalid(`The format '${form}' does not support forbidden traits. Got: ${text}`);
  return names;
}

export interface AggregateConditions {
  /** The inner lists are alternatives. */
  readonly required: Alternatives;
  readonly forbidden: readonly string[];
}

/** Parses all values of a parameter of aggregates. @param suffix of the parameter, for messages */
export function parseMemberOf(values: readonly string[], version: number, suffix = ''): AggregateConditions {
  if (values.length > 1 && !has.severalMemberOf(version))
    throw new RestError(400, `Multiple member_of${suffix} parameters are not supported`);
  const required: string[][] = [];
  const forbidden: string[] = [];
  for (const value of values) {
    const isForbidden = value.startsWith('!');
    if (isForbidden && !has.forbiddenAggregates(version))
      throw new RestError(
        400,
        `Forbidden member_of${suffix} parameters are not supported in the specified microversion`,
      );
    const uuids = parseAggregates(isForbidden ? value.slice(1) : value, value);
    if (isForbidden) forbidden.push(...uuids);
    else required.push(uuids);
  }
  return { required: distinctSets(required), forbidden: [...new Set(forbidden)] };
}

function parseAggregates(text: string, sent: string): string[] {
  const isList = text.startsWith(ANY_OF);
  if (text.includes(',') && !isList)
    throw new RestError(
      400,
      `Multiple values for 'member_of' must be prefixed with the 'in:' or '!in:' keyword using the valid ` +
        `microversion. Got: ${sent}`,
    );
  const uuids = isList ? text.slice(ANY_OF.length).split(',') : [text];
  return [
    ...new Set(
      uuids.map((uuid) => parseUuid(uuid, "Expected 'member_of' parameter to contain valid UUID(s).")),
    ),
  ];
}

/** Returns the usual spelling of a uuid. @param expected the sentence about a text that is none */
export function parseUuid(text: string, expected: string): string {
  const uuid = normalizeUuid(text.trim());
  if (uuid === undefined) throw invalid(`${expected} Got: ${text}`);
  return uuid;
}
