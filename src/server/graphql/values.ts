import {
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputFieldMap,
  type GraphQLInputType,
  typeFromAST,
  type ExecutionArgs,
  type VariableDefinitionNode,
  getOperationAST,
  GraphQLError,
  GraphQLBoolean,
  isNonNullType,
  valueFromAST,
  ValidationContext,
  type SelectionNode,
  type VariableNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { requestError, badInput } from './errorCodes.js';
import { coercion } from '../../api/cost/operationCost.js';

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

/** The values of literals, and the numbers of uses of variables and of spreads of fragments by name. */
interface Contents {
  literals: number;
  readonly variables: Map<string, number>;
  readonly spreads: Map<string, number>;
}

type OperationContents = Omit<Contents, 'spreads'>;

/** Counts what the definitions of a valid document contain, each of them once. */
export class DocumentContents {
  private static readonly known = new WeakMap<DocumentNode, DocumentContents>();

  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly contents = new WeakMap<Definition, Contents>();
  private readonly ofOperations = new WeakMap<OperationDefinitionNode, OperationContents>();

  static of(schema: GraphQLSchema, document: DocumentNode): DocumentContents {
    let contents = this.known.get(document);
    if (contents === undefined) this.known.set(document, (contents = new this(schema, document)));
    return contents;
  }

  private constructor(
    private readonly schema: GraphQLSchema,
    { definitions }: DocumentNode,
  ) {
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
  }

  /** Returns the contents of an operation, with those of a fragment as often as it is spread. */
  inAll(operation: OperationDefinitionNode): OperationContents {
    let all = this.ofOperations.get(operation);
    if (all === undefined) this.ofOperations.set(operation, (all = this.sum(operation)));
    return all;
  }

  private sum(operation: OperationDefinitionNode): OperationContents {
    const times = new Map<Contents, number>([[this.in(operation), 1]]);
    const all = { literals: 0, variables: new Map<string, number>() };
    for (const each of this.outermostFirst(operation)) {
      const factor = times.get(each)!;
      all.literals += factor * each.literals;
      for (const [name, count] of each.variables) add(all.variables, name, factor * count);
      for (const [name, count] of each.spreads) add(times, this.inFragment(name), factor * count);
    }
    return all;
  }

  /** Returns the contents of an operation and of its fragments, each before those that it spreads. */
  private outermostFirst(operation: OperationDefinitionNode): Contents[] {
    const innermostFirst = new Set<Contents>();
    const collect = (contents: Contents): void => {
      if (innermostFirst.has(contents)) return;
      for (const name of contents.spreads.keys()) collect(this.inFragment(name));
      innermostFirst.add(contents);
    };
    collect(this.in(operation));
    return [...innermostFirst].reverse();
  }

  private inFragment(name: string): Contents {
    return this.in(this.fragments.get(name)!);
  }

  private in(definition: Definition): Contents {
    let contents = this.contents.get(definition);
    if (contents === undefined)
      this.contents.set(definition, (contents = contentsIn(definition, new TypeInfo(this.schema))));
    return contents;
  }
}

/** Counts what a node contains. */
function contentsIn(root: ASTNode, types: TypeInfo): Contents {
  const contents: Contents = { literals: 0, variables: new Map(), spreads: new Map() };
  const one = (): void => void contents.literals++;
  visit(
    root,
    visitWithTypeInfo(types, {
      VariableDefinition: () => false,
      Variable: ({ name }) => add(contents.variables, name.value, 1),
      FragmentSpread: ({ name }) => add(contents.spreads, name.value, 1),
      ObjectValue: () => void (contents.literals += 1 + fieldCount(types.getInputType())),
      StringValue: ({ value }) => void (contents.literals += sizeOfText(value)),
      ListValue: one,
      IntValue: one,
      FloatValue: one,
      BooleanValue: one,
      EnumValue: one,
      NullValue: one,
    }),
  );
  return contents;
}

function add<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** The maximum number of nested lists and objects in variables: a provider tree has two for each level. */
export const MAX_NESTING = 500;

/** The characters of a text that count as one more value. */
const TEXT = 64;

const NO_FIELDS: GraphQLInputFieldMap = {};

type InputType = GraphQLInputType | null | undefined;

/**
 * Counts the values of an input, each list and object included. An object counts one more for each field of its type:
 * the executor reads each of them and adds default values.
 *
 * @throws LIMIT_EXCEEDED if the values are nested too deeply for the recursive functions that read them
 */
function inputSize(value: unknown, type: InputType, nesting = 1): number {
  if (typeof value === 'string') return sizeOfText(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (nesting > MAX_NESTING)
    throw requestError(
      'LIMIT_EXCEEDED',
      `The variables have more than ${MAX_NESTING} levels of nested lists and objects.`,
    );
  if (Array.isArray(value)) {
    const list = type && getNullableType(type);
    const inner = isListType(list) ? list.ofType : type;
    return value.reduce<number>((size, item) => size + inputSize(item, inner, nesting + 1), 1);
  }
  const fields = fieldsOf(type);
  let size = 1 + countOf(fields);
  for (const name of Object.keys(value)) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    size += inputSize(inner, Object.hasOwn(fields, name) ? fields[name].type : null, nesting + 1);
  }
  return size;
}

function sizeOfText({ length }: string): number {
  return 1 + Math.floor(length / TEXT);
}

const fieldCounts = new WeakMap<GraphQLInputFieldMap, number>();

/** Returns the number of fields of an input object, or of the objects in a list. */
function fieldCount(type: InputType): number {
  return countOf(fieldsOf(type));
}

function countOf(fields: GraphQLInputFieldMap): number {
  let count = fieldCounts.get(fields);
  if (count === undefined) fieldCounts.set(fields, (count = Object.keys(fields).length));
  return count;
}

function fieldsOf(type: InputType): GraphQLInputFieldMap {
  const named = type ? getNamedType(type) : null;
  return isInputObjectType(named) ? named.getFields() : NO_FIELDS;
}

interface VariableValues {
  readonly name: string;
  readonly size: number;
  readonly references: number;
}

/** The values of an operation after its variables are inserted. */
export class OperationValues {
  /** The values of literals, and those of each variable as often as the operation refers to it. */
  readonly count: number;
  /** The values of the variables, each counted once. */
  readonly ofVariables: number;
  private readonly variables: readonly VariableValues[];

  /**
   * Reads the valid document and each variable once, however often variables are used and fragments are spread.
   *
   * @throws LIMIT_EXCEEDED if variables are nested too deeply
   */
  constructor(
    { schema, document, variableValues }: Pick<ExecutionArgs, 'schema' | 'document' | 'variableValues'>,
    operation: OperationDefinitionNode,
  ) {
    const { literals, variables } = DocumentContents.of(schema, document).inAll(operation);
    this.variables = (operation.variableDefinitions ?? []).map((definition) => {
      const name = definition.variable.name.value;
      return {
        name,
        size: sizeOfVariable(schema, definition, variableValues ?? {}),
        references: variables.get(name) ?? 0,
      };
    });
    this.count = this.variables.reduce((sum, each) => sum + weightOf(each), literals);
    this.ofVariables = this.variables.reduce((sum, { size }) => sum + size, 0);
  }

  /** @throws LIMIT_EXCEEDED with the place of the largest variable */
  assertAtMost(limit: number): void {
    if (this.count <= limit) return;
    const [largest] = this.variables.toSorted((one, other) => weightOf(other) - weightOf(one));
    const most = largest
      ? ` $${largest.name} has ${largest.size} values and is used ${times(largest.references)}.`
      : '';
    const message = `The operation has ${this.count} values after its variables are inserted; ${limit} are allowed.`;
    throw requestError('LIMIT_EXCEEDED', message + most, {
      extensions: largest ? { path: [largest.name] } : {},
    });
  }
}

function weightOf({ size, references }: VariableValues): number {
  return size * references;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function sizeOfVariable(
  schema: GraphQLSchema,
  { variable, type: node, defaultValue }: VariableDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): number {
  const name = variable.name.value;
  const type = typeFromAST(schema, node as never) as GraphQLInputType | undefined;
  if (Object.hasOwn(given, name)) return inputSize(given[name], type);
  return defaultValue ? contentsIn(defaultValue, new TypeInfo(schema, type)).literals : 1;
}

type CoercedValues = Readonly<Record<string, unknown>>;

/** A use of a nullable variable in a position that requires a value. */
interface Use {
  readonly definition: VariableDefinitionNode;
  readonly node: VariableNode;
  /** Whether an absent variable is an error too: the position has no default value. */
  readonly requiresPresence: boolean;
  /** The name of the position in messages. */
  readonly position: string;
}

/**
 * Rejects an operation if a nullable variable of a root field is null in a position that requires a value: a field of a
 * @oneOf input, or an argument or field with a default value. Validation accepts such variables, because they may have a value. The
 * executor would report the field, but not the variable.
 */
export function useNullVariables(): Plugin {
  const known = new WeakMap<OperationDefinitionNode, readonly Use[]>();
  const check = ({ args, setResultAndStopExecution }: Execution): void => {
    const { schema, document, operationName } = args;
    const operation = getOperationAST(document, operationName);
    if (!operation) return;
    let uses = known.get(operation);
    if (uses === undefined) known.set(operation, (uses = usesIn(schema, document, operation)));
    if (uses.length === 0) return;
    const { coerced } = coercion(args);
    if (coerced === undefined || !uses.some((use) => isRefused(use, coerced))) return;
    // other fields may have null: those that the operation skips, and those of objects that do not exist
    const executed = executedRoots(document, coerced);
    const refused = usesIn(schema, executed, getOperationAST(executed, operationName)!).find((use) =>
      isRefused(use, coerced),
    );
    if (refused) setResultAndStopExecution({ errors: [errorOf(refused)] });
  };
  return { onExecute: check, onSubscribe: check };
}

interface Execution {
  readonly args: ExecutionArgs;
  readonly setResultAndStopExecution: (result: { readonly errors: readonly GraphQLError[] }) => void;
}

function isRefused({ definition, requiresPresence }: Use, values: CoercedValues): boolean {
  const name = definition.variable.name.value;
  return Object.hasOwn(values, name) ? values[name] === null : requiresPresence;
}

function usesIn(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Use[] {
  const { variableDefinitions = [] } = operation;
  const nullable = new Map(
    variableDefinitions
      .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
      .map((definition) => [definition.variable.name.value, definition]),
  );
  if (nullable.size === 0) return [];
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => undefined);
  return context.getRecursiveVariableUsages(operation).flatMap(({ node, type, parentType, defaultValue }) => {
    const definition = nullable.get(node.name.value);
    if (definition === undefined) return [];
    const parent = parentType && getNullableType(parentType);
    if (isInputObjectType(parent) && parent.isOneOf)
      return { definition, node, requiresPresence: true, position: `the @oneOf input ${parent.name}` };
    if (!isNonNullType(type)) return [];
    const position = `a position of the type ${String(type)}`;
    return { definition, node, requiresPresence: defaultValue === undefined, position };
  });
}

/** The values of `if` with which a directive excludes a selection. */
const EXCLUDING: ReadonlyMap<string, boolean> = new Map([
  ['skip', true],
  ['include', false],
]);

/** Removes all but the root fields that @skip and @include do not exclude. */
function executedRoots(document: DocumentNode, values: CoercedValues): DocumentNode {
  const isWithout = ({ directives = [] }: SelectionNode): boolean =>
    directives.some(({ name, arguments: [condition] = [] }) => {
      const excludes = EXCLUDING.get(name.value);
      return excludes !== undefined && valueFromAST(condition.value, GraphQLBoolean, values) === excludes;
    });
  const enter = (node: SelectionNode): null | undefined => (isWithout(node) ? null : undefined);
  return visit(document, {
    Field: { enter: (node) => (isWithout(node) ? null : { ...node, selectionSet: undefined }) },
    InlineFragment: { enter },
    FragmentSpread: { enter },
  });
}

function errorOf({ definition, node, position }: Use): GraphQLError {
  const name = definition.variable.name.value;
  return badInput(
    new GraphQLError(`Variable "$${name}" must have a value: ${position} does not accept null.`, {
      nodes: [definition, node],
    }),
  );
}
