import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readStream } from 'node:stream/consumers';
import { isUuid, readAmount, reference, usualSpelling } from './arguments.js';
import { Failure } from './failure.js';

/** The schemas in schemas/, which scripts/setup/fileSchemas.mjs writes. */
export type FileKind =
  | 'request'
  | 'drain'
  | 'drain-plan'
  | 'rebalance-plan'
  | 'reshape'
  | 'tree'
  | 'workload';

/** The subset of JSON schema that these files use. */
interface Schema {
  readonly $ref?: string;
  /** The schema of the API's form, then that of the short form. */
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: 'uuid';
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly maxProperties?: 1;
}

/** An input of the API in a file. */
export interface FileInput<Input> {
  /** The file, and the number of the document if it has several. */
  readonly source: string;
  readonly input: Input;
}

/** Reads a file of JSON or YAML with one document as an input of the API. `-` is standard input. */
export async function readInput<Input>(kind: FileKind, file: string): Promise<Input> {
  const [{ input }, ...others] = await readInputs<Input>(kind, [file]);
  if (others.length === 0) return input;
  throw Failure.usage(
    `${nameOf(file)} has ${others.length + 1} documents: only tree apply and fleet apply take several`,
  );
}

/** Reads all documents of files and of the files in folders. */
export async function readInputs<Input>(
  kind: FileKind,
  paths: readonly string[],
): Promise<FileInput<Input>[]> {
  const inputs: FileInput<unknown>[] = [];
  for (const file of await filesIn(paths)) {
    const documents = await about(nameOf(file), () => documentsIn(file));
    for (const [at, document] of documents.entries()) {
      const source = documents.length > 1 ? `${nameOf(file)}, document ${at + 1}` : nameOf(file);
      inputs.push({ source, input: document });
    }
  }
  return expandInputs(kind, inputs);
}

/** Checks documents, and expands their short forms to inputs of the API. */
export async function expandInputs<Input>(
  kind: FileKind,
  documents: readonly FileInput<unknown>[],
): Promise<FileInput<Input>[]> {
  const schema = await readFile(new URL(`../../schemas/${kind}.json`, import.meta.url), 'utf8');
  const { $defs, ...root } = JSON.parse(schema) as Schema & { $defs: Record<string, Schema> };
  const reader = new Reader($defs);
  const inputs: FileInput<Input>[] = [];
  for (const { source, input: document } of documents) {
    const input = await about(source, () => reader.read(root, document, '') as Input);
    inputs.push({ source, input });
  }
  return inputs;
}

const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);

/** Adds the name of an input to the message of an error. */
async function about<Value>(name: string, read: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    throw Failure.usage(`${name}: ${line.replace(/:$/, '')}`);
  }
}

/** Replaces each folder by its files of YAML or JSON, by name. */
async function filesIn(paths: readonly string[]): Promise<string[]> {
  const files = paths.map(async (path) => {
    const isFolder = path !== '-' && (await stat(path).catch(() => null))?.isDirectory();
    if (!isFolder) return [path];
    const names = (await readdir(path)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
    if (names.length === 0) throw Failure.usage(`${path} has no files of YAML or JSON`);
    return names.map((name) => join(path, name));
  });
  return (await Promise.all(files)).flat();
}

/** Returns the documents of a file. Omits empty ones beside others, such as the one behind a last `---`. */
async function documentsIn(file: string): Promise<unknown[]> {
  const { parseAllDocuments } = await import('yaml');
  const text = file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8');
  const documents = [...parseAllDocuments(text)].map((document): unknown => {
    for (const error of document.errors) throw error;
    return document.toJS();
  });
  const filled = documents.filter((document) => document !== null);
  return filled.length === 0 ? [null] : filled;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The maximum number of consumers of a claim. */
const MAX_CLAIMED = 1_000;

/** Maps a definition to the function that expands its short form to the form of the API. */
const SHORT_FORMS: Readonly<Record<string, (value: unknown) => unknown>> = {
  ProviderRef: (value) => (typeof value === 'string' ? reference(value) : value),
  AggregateRef: (value) => (typeof value === 'string' ? reference(value) : value),
  ResourceAmounts: ofMap((_resourceClass, amount) => ({ amount })),
  Inventories: ofMap((_resourceClass, given) => (isObject(given) ? given : { total: given })),
  InventoryInput: withAmounts,
  ResourceAmountInput: withAmounts,
  ClaimConsumers: (value) => (isObject(value) ? consumersOf(value) : value),
};

/** Expands a map by resource class to a list. */
function ofMap(fieldsOf: (resourceClass: string, value: unknown) => object) {
  return (value: unknown): unknown =>
    isObject(value)
      ? Object.entries(value).map(([name, inner]) => ({ resourceClass: name, ...fieldsOf(name, inner) }))
      : value;
}

/** Expands `count` to new consumers with generated uuids. */
function consumersOf(value: Fields): unknown[] {
  const { count = 1, ...consumer } = value;
  if (!Number.isInteger(count) || (count as number) < 1 || (count as number) > MAX_CLAIMED)
    throw invalid('count', `must be a whole number from 1 to ${MAX_CLAIMED}`);
  return Array.from({ length: count as number }, () => ({ consumer: randomUUID(), ...consumer }));
}

/** Reads sizes such as `4G` in the fields of an object with a resource class. The schema checks other values. */
function withAmounts(value: unknown): unknown {
  if (!isObject(value) || typeof value.resourceClass !== 'string') return value;
  const { resourceClass, ...amounts } = value;
  const read = Object.entries(amounts).map(([name, amount]) => {
    const isSize = typeof amount === 'string' && name !== 'allocationRatio';
    return [name, isSize ? readAmount(resourceClass, amount) : amount];
  });
  return { resourceClass, ...Object.fromEntries(read) };
}

/**
 * Checks a value against a schema, expands short forms and spells uuids as the server does. As in the API, null omits a
 * field.
 */
class Reader {
  constructor(private readonly definitions: Readonly<Record<string, Schema>>) {}

  read(schema: Schema, value: unknown, path: string): unknown {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.replace('#/$defs/', '');
      return this.read(this.definitions[name], SHORT_FORMS[name]?.(value) ?? value, path);
    }
    if (schema.anyOf !== undefined) {
      const [whole, short] = schema.anyOf;
      if (whole.type === 'object' && short.type === 'string' && isBare(value))
        throw invalid(path, `must be a name or a uuid: ${IN_QUOTES}`);
      return this.read(whole, value, path);
    }
    if (schema.type === 'object') return this.readObject(schema, value, path);
    if (schema.type === 'array') {
      if (!Array.isArray(value)) throw invalid(path, 'must be a list');
      return value.map((item, at) => this.read(schema.items!, item, `${path}[${at}]`));
    }
    const expected = mismatch(schema, value);
    if (expected !== null) throw invalid(path, `must be ${expected}`);
    return schema.format === 'uuid' ? usualSpelling(value as string) : value;
  }

  private readObject(
    { properties = {}, required = [], maxProperties }: Schema,
    value: unknown,
    path: string,
  ): Fields {
    const names = Object.keys(properties);
    if (!isObject(value)) throw invalid(path, `must have the fields ${names.join(', ')}`);
    const given = Object.entries(value).filter(([, inner]) => inner != null);
    const unknown = given.find(([name]) => !names.includes(name));
    if (unknown) throw invalid(path, `has no field ${unknown[0]}; the fields are ${names.join(', ')}`);
    const missing = required.find((name) => value[name] == null);
    if (missing !== undefined) throw invalid(path, `lacks the field ${missing}`);
    if (maxProperties === 1 && given.length !== 1)
      throw invalid(path, `must have one of the fields ${names.join(', ')}`);
    return Object.fromEntries(
      given.map(([name, inner]) => [
        name,
        this.read(properties[name], inner, path === '' ? name : `${path}.${name}`),
      ]),
    );
  }
}

/** Returns null if a value has the type of the schema, otherwise the name of this type. */
function mismatch({ type, format, enum: values }: Schema, value: unknown): string | null {
  if (values) return values.includes(value as string) ? null : `one of ${values.join(', ')}`;
  if (type === 'integer') {
    if (Number.isInteger(value) && Math.abs(value as number) < 2 ** 31) return null;
    return `a whole number of at most ${2 ** 31 - 1}${numberIn(value)}`;
  }
  if (type === 'number') return Number.isFinite(value) ? null : `a number${numberIn(value)}`;
  if (typeof value === type && (format !== 'uuid' || isUuid(value as string))) return null;
  const name = format ?? (type === 'string' ? 'text' : type);
  return `a ${name}${type === 'string' && isBare(value) ? `: ${IN_QUOTES}` : ''}`;
}

/** Returns whether YAML has read a text without quotes as a number or a boolean. */
const isBare = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

const IN_QUOTES = 'write it in quotes, because YAML reads it as a number or a boolean';

const numberIn = (value: unknown): string => (typeof value === 'number' ? `, not ${value}` : '');

function invalid(path: string, message: string): Error {
  return new Error(path === '' ? `it ${message}` : `${path} ${message}`);
}
