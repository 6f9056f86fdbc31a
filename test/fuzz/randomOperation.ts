import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  OperationTypeNode,
  parseValue,
} from 'graphql';
import type { Random } from '../oracle/random.js';
import type { Coverage } from './coverage.js';
import type { InputValues } from './inputValues.js';
import type { Step } from './schemaPaths.js';

/** An operation as a client sends it. */
export interface RandomOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const DEPTH = 6;
/** A document with this number of fields gets no more fields with subfields. */
const MANY_FIELDS = 60;

/** Names that plain objects inherit. */
const INHERITED = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty', 'isPrototypeOf'];

/** Writes one random valid document, with values for its variables, which may be of the wrong type. */
export class OperationWriter {
  /** Without a prototype: `__proto__` is a name like any other. */
  private readonly variables = Object.create(null) as Record<string, unknown>;
  private readonly definitions: string[] = [];
  private readonly fragments: string[] = [];
  private names = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly random: Random,
    private readonly values: InputValues,
    private readonly coverage: Coverage,
  ) {}

  /** @param path the steps to the first field; the rest of the document is random */
  write(operation: OperationTypeNode, path: readonly Step[] = []): RandomOperation {
    const root = this.schema.getRootType(operation)!;
    const count = operation === OperationTypeNode.QUERY ? this.random.pick([1, 1, 2, 3]) : 1;
    const fields = Array.from({ length: count }, (_, at) =>
      at === 0 && path.length > 0
        ? this.along(path, root, DEPTH)
        : this.field(root, this.choose(root, true), DEPTH, false),
    );
    const head = this.definitions.length > 0 ? `(${this.definitions.join(', ')})` : '';
    return {
      query: [`${operation} ${head} { ${fields.join(' ')} }`, ...this.fragments].join('\n'),
      variables: this.variables,
    };
  }

  /** Returns a rarely used field, or any field. */
  private choose(
    type: GraphQLObjectType | GraphQLInterfaceType,
    mayNest: boolean,
  ): GraphQLField<unknown, unknown> {
    const { random, coverage } = this;
    const fields = Object.values(type.getFields()).filter(
      (field) => mayNest || isLeafType(getNamedType(field.type)),
    );
    const times = (field: GraphQLField<unknown, unknown>): number =>
      Math.min(
        ...[`${type.name}.${field.name}`, ...placesOf(type, field)].map((place) => coverage.times(place)),
      );
    const drawn = random.sample(fields, 3);
    return random.chance(50)
      ? drawn[0]
      : drawn.reduce((least, each) => (times(each) < times(least) ? each : least));
  }

  /** Returns the field of the first step, which selects the field of the next step. */
  private along([step, ...rest]: readonly Step[], parent: GraphQLNamedType, depth: number): string {
    const type = this.schema.getType(step.type) as GraphQLObjectType | GraphQLInterfaceType;
    const text = this.field(type, type.getFields()[step.field], depth, false, rest);
    if (type === parent) return text;
    return `__typename ... on ${type.name} { ${text} }`; // the check of an answer reads the type
  }

  private field(
    parent: GraphQLObjectType | GraphQLInterfaceType,
    field: GraphQLField<unknown, unknown>,
    depth: number,
    mayBeLeftOut = true,
    path: readonly Step[] = [],
  ): string {
    this.coverage.use(`${parent.name}.${field.name}`);
    const alias = `f${this.names++}`;
    const args = field.args.flatMap((argument) => this.argument(parent, field, argument));
    const head = `${alias}: ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}`;
    const type = getNamedType(field.type);
    const selected = (): string =>
      path.length > 0 ? this.along(path, type, depth - 1) : this.selections(type, depth - 1);
    const body = isCompositeType(type) ? ` { ${selected()} }` : '';
    return `${head}${mayBeLeftOut ? this.directive() : ''}${body}`;
  }

  private selections(type: GraphQLNamedType, depth: number): string {
    const { random } = this;
    const parts: string[] = [];
    if (isAbstractType(type)) {
      parts.push('__typename');
      const types = this.schema.getPossibleTypes(type);
      const payload = types.filter(({ name }) => name.endsWith('Payload'));
      for (const each of new Set([...payload, ...random.sample([...types], 2)]))
        parts.push(`... on ${each.name}${this.directive()} { ${this.ofObject(each, depth)} }`);
      if (isUnionType(type) && random.chance(30) && types.some((each) => each.getInterfaces().length > 0)) {
        const face = types.flatMap((each) => each.getInterfaces())[0];
        parts.push(`... on ${face.name} { ${this.ofObject(face, 0)} }`);
      } else if (!isUnionType(type)) parts.push(this.field(type, this.choose(type, false), 0));
      return parts.join(' ');
    }
    return this.ofObject(type as GraphQLObjectType, depth);
  }

  private ofObject(type: GraphQLObjectType | GraphQLInterfaceType, depth: number): string {
    const { random } = this;
    const mayNest = depth > 0 && this.names < MANY_FIELDS;
    const hasLeaf = Object.values(type.getFields()).some((field) => isLeafType(getNamedType(field.type)));
    if (!mayNest && !hasLeaf) return '__typename';
    const parts = Array.from({ length: random.between(1, 3) }, () => {
      if (random.chance(5)) return '__typename';
      const text = this.field(type, this.choose(type, mayNest), depth);
      if (!isObjectType(type) || !random.chance(8)) return text;
      if (random.chance(50)) return `... on ${type.name}${this.directive()} { ${text} }`;
      const name = `F${this.names++}`;
      this.fragments.push(`fragment ${name} on ${type.name} { ${text} }`);
      return `...${name}${this.directive()}`;
    });
    return parts.join(' ');
  }

  private directive(): string {
    const { random } = this;
    if (!random.chance(4)) return '';
    const isSkip = random.chance(50);
    const value = random.chance(80) ? !isSkip : isSkip;
    const text = random.chance(50) ? String(value) : this.variable('Boolean!', value);
    return ` @${isSkip ? 'skip' : 'include'}(if: ${text})`;
  }

  private argument(
    parent: { readonly name: string },
    field: { readonly name: string },
    { name, type }: GraphQLArgument,
  ): string[] {
    const place = `${parent.name}.${field.name}.${name}`;
    const value = this.values.of(type, place);
    if (value === undefined) return [];
    this.coverage.use(place);
    const literal = this.random.chance(50) ? literalOf(type, value) : null;
    const hasReferences = literal !== null && this.random.chance(5);
    const text = hasReferences ? literalOf(type, value, (...list) => this.references(...list)) : literal;
    return [`${name}: ${text ?? this.argumentVariable(type, value)}`];
  }

  /** Returns a list literal that refers to one variable many times; a variable that is a list is large. */
  private references(type: GraphQLInputType, [first]: readonly unknown[]): string | null {
    const { random } = this;
    if (first === undefined || random.chance(50)) return null;
    const value = Array.isArray(first) ? Array(random.pick([10, 1_000, 20_000])).fill(first[0] ?? '') : first;
    return `[${`${this.variable(String(type), value)} `.repeat(random.pick([2, 50, 1_000]))}]`;
  }

  /** Defines a variable that has a value, a default value, or neither. */
  private argumentVariable(type: GraphQLInputType, value: unknown): string {
    const { random } = this;
    const literal = random.chance(20) ? literalOf(type, value) : null;
    if (literal !== null) return this.define(`${String(type)} = ${literal}`);
    if (!isNonNullType(type) && random.chance(10)) return this.define(String(type));
    return this.variable(String(type), value);
  }

  private variable(type: string, value: unknown): string {
    const variable = this.define(type);
    this.variables[variable.slice(1)] = value;
    return variable;
  }

  private define(type: string): string {
    const count = this.definitions.length;
    const isAwkward = this.random.chance(30) && count < INHERITED.length;
    const variable = `$${isAwkward ? INHERITED[count] : `v${count}`}`;
    this.definitions.push(`${variable}: ${type}`);
    return variable;
  }
}

function placesOf(type: { readonly name: string }, { name, args }: GraphQLField<unknown, unknown>): string[] {
  return args.map((argument) => `${type.name}.${name}.${argument.name}`);
}

/**
 * Returns a value as a literal of a document, or null if it does not fit its type or has no literal.
 *
 * @param listOf returns another literal of a list, if it is not null
 */
function literalOf(
  type: GraphQLInputType,
  value: unknown,
  listOf: (itemType: GraphQLInputType, items: readonly unknown[]) => string | null = () => null,
): string | null {
  if (isNonNullType(type)) return value === null ? null : literalOf(type.ofType, value, listOf);
  if (value === null) return 'null';
  if (isListType(type)) {
    if (!Array.isArray(value)) return null;
    const list = listOf(type.ofType, value);
    if (list !== null) return list;
    const items = value.map((item) => literalOf(type.ofType, item, listOf));
    return items.includes(null) ? null : `[${items.join(', ')}]`;
  }
  if (isInputObjectType(type)) {
    const fields = type.getFields();
    if (typeof value !== 'object' || Array.isArray(value)) return null;
    const entries = Object.entries(value as Record<string, unknown>).map(([name, inner]) => {
      const text = name in fields ? literalOf(fields[name].type, inner, listOf) : null;
      return text === null ? null : `${name}: ${text}`;
    });
    const isWhole = Object.values(fields).every(
      (field) => !isNonNullType(field.type) || field.defaultValue !== undefined || field.name in value,
    );
    const isOne = !type.isOneOf || (entries.length === 1 && entries[0]?.endsWith(': null') === false);
    return entries.includes(null) || !isWhole || !isOne ? null : `{ ${entries.join(', ')} }`;
  }
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) ? value : null;
  const text = JSON.stringify(value);
  try {
    type.parseLiteral(parseValue(text), {});
  } catch {
    return null;
  }
  return /\\ud[89a-f]/i.test(text) ? null : text;
}
