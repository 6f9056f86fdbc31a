import {
  getOperationAST,
  getVariableValues,
  Kind,
  Lexer,
  parse,
  Source,
  TokenKind,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type ParseOptions,
  type SelectionSetNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../schema/context.js';
import { badInput, requestError } from './errorCodes.js';

/** The limits of one request. A fragment counts each time it is spread. */
export const LIMITS = {
  /** The tokens of the document: names, values and punctuation. */
  tokens: 10_000,
  /** The characters of a name, such as an alias: an answer repeats it for each object. */
  name: 255,
  /** Nested brackets of any kind. */
  nesting: 100,
  /** Nested lists and objects in the variables: a provider tree has two for each level. */
  variableNesting: 500,
  /** Nested fields. */
  depth: 25,
  aliases: 500,
  directives: 100,
  /** Fragment spreads. Twenty fragments that each spread the next one twice would be a million. */
  spreads: 10_000,
  /** JSON values in the body of a request. */
  values: 1_000_000,
} as const;

/**
 * Larger variables (values plus characters) are rejected at the first mistake. The executor would
 * report fifty mistakes, and repeat the whole value with each.
 */
const LARGE_VARIABLES = 1_000;

/** Rejects documents and variables that exceed the limits before other code processes them. */
export function useDocumentLimits(): Plugin {
  const large = new WeakSet<object>();
  const refuseFirstMistake = (execution: Execution): Promise<void> | undefined => {
    const { variableValues } = execution.args;
    return variableValues && large.has(variableValues) ? checkLarge(execution, variableValues) : undefined;
  };
  return {
    onParams({ params: { variables } }) {
      // others than objects are rejected afterwards
      if (typeof variables === 'object' && variables !== null && sizeOf(variables) > LARGE_VARIABLES)
        large.add(variables);
    },
    onExecute: refuseFirstMistake,
    onSubscribe: refuseFirstMistake,
    onParse({ setParseFn }) {
      setParseFn((text: string, options?: ParseOptions) => {
        checkTokens(text);
        const document = parse(text, options);
        checkShape(document);
        return document;
      });
    },
  };
}

interface Execution {
  readonly args: ExecutionArgs;
  readonly setResultAndStopExecution: (result: ExecutionResult) => void;
}

/** Rejects variables at their first mistake. Yields first, because coercing large ones is slow. */
async function checkLarge(
  { args: { document, operationName, schema, contextValue }, setResultAndStopExecution }: Execution,
  variables: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { operation } = contextValue as Context;
  const goesOn = (): void => undefined; // admission rejects an aborted operation
  await operation.pause().catch(goesOn);
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const { errors } = getVariableValues(schema, definitions, variables, { maxErrors: 1 });
  if (errors) setResultAndStopExecution({ errors: [badInput(errors[0])] });
  else await operation.pause().catch(goesOn);
}

function reject(message: string): never {
  throw requestError('LIMIT_EXCEEDED', message);
}

/** The introspection fields. A document may contain each of them once. */
const INTROSPECTION: ReadonlySet<string> = new Set(['__schema', '__type']);

/** Limits tokens and nesting before parsing: a deep document overflows the stack of the parser. */
function checkTokens(text: string): void {
  const lexer = new Lexer(new Source(text));
  const introspected = new Set<string>();
  let tokens = 0;
  let nesting = 0;
  for (let { kind, value } = lexer.advance(); kind !== TokenKind.EOF; { kind, value } = lexer.advance()) {
    if (++tokens > LIMITS.tokens) reject(`The document has more than ${LIMITS.tokens} tokens.`);
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) nesting++;
    if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) nesting--;
    if (nesting > LIMITS.nesting)
      reject(`The document has more than ${LIMITS.nesting} levels of nested brackets.`);
    if (kind !== TokenKind.NAME) continue;
    if (value.length > LIMITS.name) reject(`The document has a name of more than ${LIMITS.name} characters.`);
    if (!INTROSPECTION.has(value)) continue;
    if (introspected.has(value)) reject(`The document has ${value} more than once.`);
    introspected.add(value);
  }
}

/**
 * Rejects a JSON text with too many values before it is parsed: a small array or object needs many
 * times the memory of its text.
 */
export function checkValues(text: string): void {
  if (text.length <= LIMITS.values) return;
  let values = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (code === BACKSLASH) at++;
    else if (!isText && (code === COMMA || code === BRACKET || code === BRACE) && ++values > LIMITS.values)
      throw requestError('REQUEST_ENTITY_TOO_LARGE', `The body has more than ${LIMITS.values} values.`, {
        status: 413,
      });
  }
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Array.from('"\\,[{', (each) => each.charCodeAt(0));

/** Counts the values and characters of variables. It is not recursive, unlike all later readers. */
function sizeOf(variables: unknown): number {
  const open: [value: unknown, nesting: number][] = [[variables, 0]];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, nesting] = next;
    size += typeof value === 'string' ? value.length : 1;
    if (typeof value !== 'object' || value === null) continue;
    if (nesting > LIMITS.variableNesting) {
      reject(`The variables have more than ${LIMITS.variableNesting} levels of nested lists and objects.`);
    }
    for (const inner of Object.values(value)) open.push([inner, nesting + 1]);
  }
  return size;
}

type Shape = Record<'depth' | 'aliases' | 'directives' | 'spreads', number>;

const EMPTY: Shape = { depth: 0, aliases: 0, directives: 0, spreads: 0 };

function checkShape({ definitions }: DocumentNode): void {
  const fragments = definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  const measure = shapes(new Map(fragments.map(({ name, selectionSet }) => [name.value, selectionSet])));
  for (const { selectionSet } of definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)) {
    const { depth, ...counts } = measure(selectionSet);
    if (depth > LIMITS.depth) reject(`The document is ${depth} fields deep; ${LIMITS.depth} are allowed.`);
    for (const each of ['aliases', 'directives', 'spreads'] as const) {
      if (counts[each] <= LIMITS[each]) continue;
      const what = each === 'spreads' ? 'fragment spreads' : each;
      reject(`The document has ${counts[each]} ${what}; ${LIMITS[each]} are allowed.`);
    }
  }
}

/** Measures selection sets, each fragment once. Validation rejects cycles of fragments. */
function shapes(fragments: ReadonlyMap<string, SelectionSetNode>): (set: SelectionSetNode) => Shape {
  const measured = new Map<SelectionSetNode, Shape>();

  return function measure(set: SelectionSetNode): Shape {
    const known = measured.get(set);
    if (known) return known;
    const shape = { ...EMPTY };
    measured.set(set, shape);
    for (const selection of set.selections) {
      const isField = selection.kind === Kind.FIELD;
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      const below = isSpread ? fragments.get(selection.name.value) : selection.selectionSet;
      const inner = below ? measure(below) : EMPTY;
      shape.depth = Math.max(shape.depth, inner.depth + (isField ? 1 : 0));
      shape.aliases += inner.aliases + (isField && selection.alias ? 1 : 0);
      shape.directives += inner.directives + (selection.directives?.length ?? 0);
      shape.spreads += inner.spreads + (isSpread ? 1 : 0);
    }
    return shape;
  };
}
