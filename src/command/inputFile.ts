import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { isUuid, readAmount, reference } from './arguments.js';
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

/** Reads a file of JSON or YAML as an input of the API. `-` is standard input. */
export async function readInput<Input>(kind: FileKind, file: string): Promise<Input> {
  const [{ parse }, schema] = await Promise.all([
    import('yaml'),
    readFile(new URL(`../../schemas/${kind}.json`, import.meta.url), 'utf8'),
  ]);
  const { $defs, ...root } = JSON.parse(schema) as Schema & { $defs: Record<string, Schema> };
  try {
    const text = file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8');
    return new Reader($defs).read(root, parse(text), '') as Input;
  } catch (error) {
    throw Failure.usage(`${file === '-' ? 'standard input' : file}: ${(error as Error).message}`);
  }
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
  ResourceAmounts: ofMap((resourceClass, amount) => ({ amount: amountOf(resourceClass, amount) })),
  Inventories: ofMap((resourceClass, given) =>
    isObject(given) ? given : { total: amountOf(resourceClass, given) },
  ),
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

/** Reads sizes such as `4G`. The schema checks other values. */
function amountOf(resourceClass: string, value: unknown): unknown {
  return typeof value === 'string' ? readAmount(resourceClass, value) : value;
}

/** Checks a value against a schema and expands short forms. As in the API, null omits a field. */
class Reader {
  constructor(private readonly definitions: Readonly<Record<string, Schema>>) {}

  read(schema: Schema, value: unknown, path: string): unknown {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.replace('#/$defs/', '');
      return this.read(this.definitions[name], SHORT_FORMS[name]?.(value) ?? value, path);
    }
    if (schema.anyOf !== undefined) return this.read(schema.anyOf[0], value, path);
    if (schema.type === 'object') return this.readObject(schema, value, path);
    if (schema.type === 'array') {
      if (!Array.isArray(value)) throw invalid(path, 'must be a list');
      return value.map((item, at) => this.read(schema.items!, item, `${path}[${at}]`));
    }
    const expected = mismatch(schema, value);
    if (expected !== null) throw invalid(path, `must be ${expected}`);
    return value;
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
  if (format === 'uuid') return typeof value === 'string' && isUuid(value) ? null : 'a uuid';
  if (type === 'integer')
    return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31 ? null : 'a whole number';
  return typeof value === type ? null : `a ${type === 'string' ? 'text' : type}`;
}

function invalid(path: string, message: string): Error {
  return new Error(path === '' ? `it ${message}` : `${path} ${message}`);
}
