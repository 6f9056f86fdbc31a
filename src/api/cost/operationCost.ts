import {
  getOperationAST,
  getVariableValues,
  type ExecutionArgs,
  type VariableDefinitionNode,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  type GraphQLField,
  getArgumentValues,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type SelectionSetNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { accessBy, ruleOf, scopesOf, type Scopes } from '../access/rules.js';
import type { Context } from '../context.js';
import type { DocumentInfo, SelectedField } from '../selection.js';

export type Variables = Readonly<Record<string, unknown>>;

type Coercion = Partial<ReturnType<typeof getVariableValues>>;

const known = new WeakMap<ExecutionArgs, Coercion>();

const NO_VARIABLES: Coercion = { coerced: Object.freeze({}) };

/** Coerces the variables of an operation, once for all who ask. Stops at the first mistake. */
export function coercion(args: ExecutionArgs): Coercion {
  const operation = getOperationAST(args.document, args.operationName);
  if (!operation || !args.schema.getRootType(operation.operation)) return {};
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return NO_VARIABLES;
  let found = known.get(args);
  if (found === undefined) known.set(args, (found = coerce(args, definitions)));
  return found;
}

/** Returns the variables as resolvers receive them. Null if the operation cannot run; the executor reports why. */
export function coercedVariables(args: ExecutionArgs): Variables | null {
  return coercion(args).coerced ?? null;
}

function coerce(
  { schema, variableValues }: ExecutionArgs,
  definitions: readonly VariableDefinitionNode[],
): Coercion {
  const found = getVariableValues(schema, definitions, variableValues ?? {}, { maxErrors: 1 });
  if (found.coerced) Reflect.deleteProperty(found.coerced, '__proto__'); // as in Yoga's executor, which cannot set it
  return found;
}

/** The cost of a field itself, and the factor by which the cost of its selection is multiplied. */
export interface FieldCost {
  readonly field: number;
  readonly multiplier: number;
}

/** The cost of a field: fixed, or a function of its arguments. A number is a cost with the multiplier 1. */
export type Complexity<Args = object, OfSchema = object> =
  | FieldCost
  | number
  | ((args: Args, context: OfSchema, field: GraphQLField<unknown, unknown>) => FieldCost | number);

/** The expected length of a list whose field does not state one. */
const TYPICAL_LIST = 5;

/** The cost of a list whose length is part of the cost of a field above it. */
export const COUNTED_ABOVE: FieldCost = { field: 1, multiplier: 1 };

/** The cost of a long scalar. An operation also charges for text when it is resolved. */
export const LONG_SCALAR: FieldCost = { field: 1, multiplier: 0 };

/**
 * The default cost of a field: the number of objects that it is expected to return. Scalars and enums
 * cost nothing, and a list of them costs as much as an object.
 */
export function costOfField(
  _args: Record<string, unknown>,
  _context: object,
  field: Pick<GraphQLField<unknown, unknown>, 'type'>,
): FieldCost {
  const isList = isListType(getNullableType(field.type));
  if (isLeafType(getNamedType(field.type))) return { field: isList ? 1 : 0, multiplier: 0 };
  return costOfList(isList ? TYPICAL_LIST : 1);
}

/** The cost of a list that is expected to have `size` objects. */
export function costOfList(size: number): FieldCost {
  return { field: size, multiplier: size };
}

/**
 * The options of a list without pages that is expected to have `size` objects, and may have many more. Its length is
 * charged. `alternative` is the connection or the filter that an operation can read instead if it costs too much.
 */
export function readInPages(size: number, alternative: string) {
  return { complexity: costOfList(size), extensions: { alternative } };
}

/** Returns the number of entries of all lists in an input, at any depth. */
export function entriesIn(input: unknown): number {
  return combinedLengths(input, (one, other) => one + other);
}

/** Returns the length of the longest list in an input, at any depth. */
export function longestListIn(input: unknown): number {
  return combinedLengths(input, Math.max);
}

/** Reads each list once, however often the input contains it: a variable may occur thousands of times. */
function combinedLengths(input: unknown, combine: (one: number, other: number) => number): number {
  const known = new Map<readonly unknown[], number>();
  const lengthOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    let length = 0;
    if (!Array.isArray(value)) {
      const fields = value as Readonly<Record<string, unknown>>;
      for (const name of Object.keys(fields)) length = combine(length, lengthOf(fields[name]));
      return length;
    }
    const earlier = known.get(value);
    if (earlier !== undefined) return earlier;
    length = value.length;
    for (const entry of value) length = combine(length, lengthOf(entry));
    known.set(value, length);
    return length;
  };
  return lengthOf(input);
}

/** The cost of an entry of a list of conditions: a search may compare it with every provider. */
const COST_OF_ENTRY = 10;

/** Returns the cost of the size of requests or filters, in which a variable counts at each reference. */
export function costOfEntries(input: unknown): number {
  return COST_OF_ENTRY * entriesIn(input);
}

/** The cost of an object written as text, relative to an object from the executor (ADR 6). */
const TEXT = 1 / 10;

/** The cost of one introspected object: nothing interrupts the executor while it resolves introspection. */
const COST_OF_INTROSPECTED = 10;

/** Replaces a cost that is not a number. It exceeds the limit of every operation. */
const TOO_MUCH = Number.MAX_SAFE_INTEGER;

/**
 * The extension of a field whose multiplier is a list length: the length of the lists with the cost
 * COUNTED_ABOVE in the returned object.
 */
export const SIZES_LISTS = { sizesLists: true } as const;

/**
 * Returns the estimated cost of an operation: about the number of objects in its answer. Returns 0 if the
 * operation cannot run.
 *
 * @param asText fields whose selection is written as text, as `Type.field`
 */
export function costOf(
  args: ExecutionArgs,
  asText: ReadonlySet<string>,
  variables: Variables | null = coercedVariables(args),
): number {
  if (variables === null) return 0;
  const operation = getOperationAST(args.document, args.operationName)!;
  const type = args.schema.getRootType(operation.operation)!;
  return finite(priceOf(args, asText, variables).ofSelections(type, operation.selectionSet));
}

/** Returns the estimated cost of each field of an operation. */
export function costsOfFields(
  args: ExecutionArgs,
  variables: Variables,
  fields: readonly SelectedField[],
): number[] {
  const price = priceOf(args, new Set(), variables);
  const { operation } = getOperationAST(args.document, args.operationName)!;
  const type = args.schema.getRootType(operation)!;
  return fields.map(({ nodes }) =>
    finite(price.ofSelections(type, { kind: Kind.SELECTION_SET, selections: nodes })),
  );
}

function priceOf(
  { schema, document, contextValue }: ExecutionArgs,
  asText: ReadonlySet<string>,
  variables: Variables,
): OperationCost {
  const context = (contextValue ?? {}) as Partial<Context>;
  return new OperationCost({ schema, fragments: fragmentsOf(document), variables, context, asText });
}

/**
 * Returns the cost of further objects of a list with the cost COUNTED_ABOVE, written as text.
 *
 * @param type the object type that has the list
 */
export function costOfText(
  { schema, fragments, variableValues: variables }: DocumentInfo,
  context: Context,
  type: string,
  { nodes }: SelectedField,
  count: number,
): number {
  const document = { schema, variables, context, asText: new Set<string>() };
  const cost = new OperationCost({ ...document, fragments: new Map(Object.entries(fragments)) });
  const ofOne = cost.ofSelections(schema.getType(type)!, { kind: Kind.SELECTION_SET, selections: nodes });
  return Math.ceil(TEXT * count * ofOne);
}

/** A document and the values of its variables, as resolvers receive them. */
interface PricedDocument {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
  readonly context: Partial<Context>;
  readonly asText: ReadonlySet<string>;
}

/**
 * Adds up the costs of fields. A field counts even if a directive excludes it, and a field of each possible
 * type of an object counts.
 */
class OperationCost {
  private readonly fragmentCosts = new Map<string, number>();
  private readonly introspection: IntrospectionSize;
  private readonly scopes: Scopes;

  constructor(private readonly document: PricedDocument) {
    this.introspection = new IntrospectionSize(document);
    this.scopes = scopesOf(document.context.viewer ?? null);
  }

  /** @param listLength the length of the lists of the object; null if each list states its own */
  ofSelections(
    type: GraphQLNamedType,
    { selections }: SelectionSetNode,
    listLength: number | null = null,
  ): number {
    let sum = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        sum += this.ofField(type, selection, listLength);
      } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        sum += this.ofFragment(selection.name.value, listLength);
      } else {
        const name = selection.typeCondition?.name.value;
        const inner = (name === undefined ? undefined : this.document.schema.getType(name)) ?? type;
        sum += this.ofSelections(inner, selection.selectionSet, listLength);
      }
    }
    return sum;
  }

  private ofFragment(name: string, listLength: number | null): number {
    const key = `${name} ${listLength}`;
    let cost = this.fragmentCosts.get(key);
    if (cost === undefined) {
      const fragment = this.document.fragments.get(name);
      const type = fragment && this.document.schema.getType(fragment.typeCondition.name.value);
      cost = type ? this.ofSelections(type, fragment.selectionSet, listLength) : 0;
      this.fragmentCosts.set(key, cost);
    }
    return cost;
  }

  private ofField(parent: GraphQLNamedType, node: FieldNode, listLength: number | null): number {
    if (!isObjectType(parent) && !isInterfaceType(parent)) return 1; // __typename of a union
    const field = parent.getFields()[node.name.value] as GraphQLField<unknown, unknown> | undefined;
    if (field === undefined) return this.ofMetaField(node);
    const isSized = listLength !== null && field.extensions.complexity === COUNTED_ABOVE;
    return (isSized ? listLength : 1) * this.ofSchemaField(parent, field, node);
  }

  private ofSchemaField(
    parent: GraphQLNamedType,
    field: GraphQLField<unknown, unknown>,
    node: FieldNode,
  ): number {
    // the executor does not resolve a forbidden field
    if (accessBy(ruleOf(field), this.scopes) === 'no') return 1;
    const own = this.complexityOf(field, node);
    const type = getNamedType(field.type);
    if (!isCompositeType(type) || !node.selectionSet) return own.field;
    const share = this.document.asText.has(`${parent.name}.${field.name}`) ? TEXT : 1;
    const selected = field.extensions.sizesLists
      ? this.ofSelections(type, node.selectionSet, own.multiplier)
      : own.multiplier * this.ofSelections(type, node.selectionSet);
    return own.field + Math.ceil(share * selected);
  }

  /** Returns the cost of __typename or of an introspection field. */
  private ofMetaField(node: FieldNode): number {
    const field = [SchemaMetaFieldDef, TypeMetaFieldDef].find(({ name }) => name === node.name.value);
    return 1 + (field ? COST_OF_INTROSPECTED * this.introspection.of(field, null, node) : 0);
  }

  private complexityOf(field: GraphQLField<unknown, unknown>, node: FieldNode): FieldCost {
    let cost = field.extensions.complexity as Complexity | undefined;
    if (typeof cost === 'function') {
      const { variables, context } = this.document;
      let args: Record<string, unknown>;
      try {
        args = getArgumentValues(field, node, variables);
      } catch {
        return { field: 1, multiplier: 1 }; // the executor rejects the arguments, and does not resolve the field
      }
      cost = cost(args, context, field);
    }
    const { field: own, multiplier } = typeof cost === 'object' ? cost : { field: cost ?? 0, multiplier: 1 };
    return { field: finite(own), multiplier: finite(multiplier) };
  }
}

/** Limits a cost to the range 0 to TOO_MUCH: arguments can make it negative. NaN is TOO_MUCH. */
function finite(cost: number): number {
  return cost <= TOO_MUCH ? Math.max(0, cost) : TOO_MUCH;
}

function fragmentsOf({ definitions }: DocumentNode): PricedDocument['fragments'] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  return fragments;
}

/** The maximum number of counted objects and spreads. An operation with more of them costs too much. */
const MAX_STEPS = 20_000;

/**
 * Counts the objects that an introspection returns. It resolves the lists, but each pair of an object and a
 * selection only once.
 */
class IntrospectionSize {
  private readonly known = new Map<SelectionSetNode, Map<unknown, number>>();
  private steps = 0;

  constructor(private readonly document: PricedDocument) {}

  /** Returns the number of objects below a field; infinite if there are too many to count. */
  of(field: GraphQLField<unknown, unknown>, source: unknown, node: FieldNode): number {
    const type = getNamedType(field.type);
    if (!isObjectType(type) || !node.selectionSet) return 0;
    const args = getArgumentValues(field, node, this.document.variables);
    // the resolvers of introspection use only the schema
    const info = { schema: this.document.schema } as GraphQLResolveInfo;
    const found = field.resolve!(source, args, undefined, info);
    let sum = 0;
    for (const each of Array.isArray(found) ? (found as unknown[]) : [found]) {
      if (each != null) sum += this.ofObject(each, type.getFields(), node.selectionSet);
      if (sum === Infinity) break;
    }
    return sum;
  }

  private ofObject(source: unknown, fields: Fields, set: SelectionSetNode): number {
    let known = this.known.get(set);
    if (known === undefined) this.known.set(set, (known = new Map<unknown, number>()));
    let size = known.get(source);
    if (size === undefined) {
      size = this.steps++ < MAX_STEPS ? 1 + this.ofSelections(source, fields, set) : Infinity;
      known.set(source, size);
    }
    return size;
  }

  private ofSelections(source: unknown, fields: Fields, { selections }: SelectionSetNode): number {
    let sum = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const field = fields[selection.name.value] as Fields[string] | undefined;
        if (field) sum += this.of(field, source, selection);
      } else {
        const set =
          selection.kind === Kind.FRAGMENT_SPREAD
            ? this.document.fragments.get(selection.name.value)?.selectionSet
            : selection.selectionSet;
        if (set) sum += this.steps++ < MAX_STEPS ? this.ofSelections(source, fields, set) : Infinity;
      }
      if (sum === Infinity) break;
    }
    return sum;
  }
}

type Fields = Readonly<Record<string, GraphQLField<unknown, unknown>>>;
