import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { normalizeUuid } from '../../model/input.js';
import { RestError } from './restErrors.js';

export type Schema = object;

let ajv: Promise<Ajv> | null = null;
const compiled = new Map<Schema, ValidateFunction>();

/** Loads ajv when the first request needs it: that takes as long as a tenth of the start. */
async function loadAjv(): Promise<Ajv> {
  // the bundle has no other export of a CommonJS module
  const { default: exported } = await import('ajv');
  const Class = exported.Ajv;
  const formats = { uuid: (text: string) => normalizeUuid(text) !== undefined };
  const own = new Class({
    verbose: true,
    formats,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  });
  for (const keyword of ['minLength', 'maxLength'] as const) {
    own.removeKeyword(keyword);
    own.addKeyword({ keyword, type: 'string', schemaType: 'number', validate: LENGTHS[keyword] });
  }
  return own;
}

/** The keywords of lengths in characters. Those of ajv count all characters of a text, which may have millions. */
const LENGTHS = {
  minLength: (least: number, text: string) => text.length >= 2 * least || Array.from(text).length >= least,
  maxLength: (most: number, text: string) =>
    text.length <= most || (text.length <= 2 * most && Array.from(text).length <= most),
};

/** @throws RestError 400 that names the first mistake of a value, its path, and the broken part of the schema */
export async function checkSchema(value: unknown, schema: Schema, what: string): Promise<void> {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = (await (ajv ??= loadAjv())).compile(schema);
    compiled.set(schema, validate);
  }
  if (validate(value)) return;
  // ajv reports the alternatives of an `anyOf` before the `anyOf` itself
  throw new RestError(400, `${what}: ${mistake(validate.errors!.at(-1)!)}`);
}

/** @throws RestError 400 for a body that does not match its schema */
export function checkBody(body: unknown, schema: Schema): Promise<void> {
  return checkSchema(body, schema, 'JSON does not validate');
}

function mistake(error: ErrorObject): string {
  const place = error.instancePath === '' ? '' : `, on instance${indexes(error.instancePath)}`;
  const path = error.schemaPath.slice(0, error.schemaPath.lastIndexOf('/')).replace('#', '');
  return `${message(error)}. Failed validating '${error.keyword}' in schema${indexes(path)}${place}`;
}

/** Writes a JSON pointer as the indexes of nested objects: `['inventories']['VCPU']`. */
function indexes(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => `['${decodeURIComponent(part)}']`)
    .join('');
}

/** Clients and tools know these texts, so that they are those of the library that OpenStack uses. */
const MESSAGES: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: ({ params }) => `'${params.missingProperty}' is a required property`,
  additionalProperties: ({ params, parentSchema }) =>
    unexpected(String(params.additionalProperty), parentSchema?.patternProperties as object | undefined),
  type: ({ data, schema }) => `${shown(data)} is not of type ${shown(schema)}`,
  format: ({ data, schema }) => `${shown(data)} is not a ${shown(schema)}`,
  pattern: ({ data, schema }) => `${shown(data)} does not match ${shown(schema)}`,
  maxLength: ({ data }) => `${shown(data)} is too long`,
  minLength: ({ data }) => `${shown(data)} is too short`,
  minimum: ({ data, schema }) => `${shown(data)} is less than the minimum of ${shown(schema)}`,
  maximum: ({ data, schema }) => `${shown(data)} is greater than the maximum of ${shown(schema)}`,
  enum: ({ data, schema }) => `${shown(data)} is not one of [${(schema as string[]).map(shown).join(', ')}]`,
  minItems: ({ data }) => `${shown(data)} is too short`,
  uniqueItems: ({ data }) => `${shown(data)} has non-unique elements`,
  minProperties: ({ data }) => `${shown(data)} does not have enough properties`,
  anyOf: ({ data }) => `${shown(data)} is not valid under any of the given schemas`,
};

function message(error: ErrorObject): string {
  return MESSAGES[error.keyword]?.(error) ?? `${shown(error.data)} ${error.message}`;
}

function unexpected(name: string, patterns: object | undefined): string {
  if (patterns === undefined) return `Additional properties are not allowed ('${name}' was unexpected)`;
  const regexes = Object.keys(patterns).map((pattern) => `'${pattern}'`);
  return `'${name}' does not match any of the regexes: ${regexes.join(', ')}`;
}

/** The maximum length of a value in a message (characters). */
const LONGEST = 300;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? `'${beginning(value)}'` : JSON.stringify(value, withBeginnings);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Shortens long texts and lists: the message would cut the text of their end anyway. */
function withBeginnings(_key: string, value: unknown): unknown {
  return typeof value === 'string' || Array.isArray(value) ? beginning(value) : value;
}

function beginning<T extends string | readonly unknown[]>(value: T): T {
  return value.length > LONGEST ? (value.slice(0, LONGEST) as T) : value;
}
