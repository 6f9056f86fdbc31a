import { createHash } from 'node:crypto';
import {
  GraphQLError,
  Kind,
  type DocumentNode,
  type OperationDefinitionNode,
  visit,
  OverlappingFieldsCanBeMergedRule,
  type SelectionSetNode,
  ValidationContext,
  type ValidationRule,
  TypeInfo,
  visitInParallel,
  visitWithTypeInfo,
  type ASTNode,
  type ASTVisitFn,
  type GraphQLSchema,
  specifiedRules,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Plugin } from 'graphql-yoga';
import { requestError, refusalError } from './errorCodes.js';
import type { Operation } from '../../model/operation/operation.js';
import { parsed, type Received } from './limits.js';
import { withPaths } from './valuePaths.js';

/** The maximum number of refused documents, the approximate size of all, and of one of them (bytes). */
const MOST_REFUSALS = 1_000;
const MOST_REFUSED_BYTES = 4_194_304;
const MOST_REFUSED_BYTES_OF_ONE = 131_072;

/** The approximate size of an operation without its selections (bytes). */
const OPERATION_SIZE = 200;

type Refusal = Pick<GraphQLError, 'message' | 'locations' | 'extensions'>;

interface Refused {
  readonly operations: readonly OperationDefinitionNode[];
  readonly errors: readonly Refusal[];
}

/** Caches why documents are not valid, by their hash: a client may send one again and again, each time to be parsed. */
export class RefusedDocuments {
  private readonly byHash = new LRUCache<string, Refused>({
    max: MOST_REFUSALS,
    maxSize: MOST_REFUSED_BYTES,
    maxEntrySize: MOST_REFUSED_BYTES_OF_ONE,
  });
  /** The errors of documents that this cache has returned. */
  private readonly errors = new WeakMap<DocumentNode, readonly Refusal[]>();

  /** Returns the operations of a refused document, without their selections. Null if the text is unknown. */
  find(text: string): DocumentNode | null {
    const refused = this.byHash.get(hashOf(text));
    if (refused === undefined) return null;
    const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: refused.operations };
    this.errors.set(document, refused.errors);
    return document;
  }

  /** Returns the validation errors of a document that `find` returned. Undefined for others. */
  errorsOf(document: DocumentNode): GraphQLError[] | undefined {
    return this.errors
      .get(document)
      ?.map(({ message, locations, extensions }) =>
        Object.assign(new GraphQLError(message, { extensions: structuredClone(extensions) }), { locations }),
      );
  }

  add(text: string, { definitions }: DocumentNode, errors: readonly GraphQLError[]): void {
    const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION).map(outlineOf);
    const refusals = errors.map(({ message, locations, extensions }) => ({
      message,
      locations,
      extensions: structuredClone(extensions),
    }));
    const size = JSON.stringify(refusals).length + OPERATION_SIZE * operations.length;
    this.byHash.set(hashOf(text), { operations, errors: refusals }, { size });
  }
}

function outlineOf({ kind, operation, name }: OperationDefinitionNode): OperationDefinitionNode {
  return { kind, operation, name, selectionSet: { kind: Kind.SELECTION_SET, selections: [] } };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** The approximate maximum size of the cache, and of one document in it (bytes). */
const MOST_CHARACTERS = 33_554_432;
const MOST_CHARACTERS_OF_ONE = 2_097_152;

/** The approximate size of a node with its location (bytes). */
const NODE_SIZE = 250;

/** A parsed document, and why it is not valid. */
export interface ReadDocument {
  readonly document: DocumentNode;
  readonly errors: readonly GraphQLError[];
}

/** The most recently used valid documents, and why others are not valid: clients repeat a few of them. */
class DocumentCache {
  private readonly valid = new LRUCache<string, DocumentNode>({
    maxSize: MOST_CHARACTERS,
    maxEntrySize: MOST_CHARACTERS_OF_ONE,
  });
  private readonly refused = new RefusedDocuments();

  find(text: string): ReadDocument | null {
    const valid = this.valid.get(text);
    if (valid) return { document: valid, errors: [] };
    const document = this.refused.find(text);
    return document && { document, errors: this.refused.errorsOf(document)! };
  }

  add(text: string, { document, errors }: ReadDocument): void {
    if (text.length > MOST_CHARACTERS_OF_ONE) return;
    if (errors.length > 0) return this.refused.add(text, document, errors);
    const size = documentBytes(document);
    if (size <= MOST_CHARACTERS_OF_ONE) this.valid.set(text, document, { size });
  }
}

/** Returns the approximate memory of a document (bytes). Removes its tokens, which need more than the nodes. */
export function documentBytes(document: DocumentNode): number {
  let size = document.loc?.source.body.length ?? 0;
  visit(document, {
    enter({ loc }) {
      size += NODE_SIZE;
      if (loc) Object.assign(loc, { startToken: undefined, endToken: undefined });
    },
  });
  return size;
}

/** The maximum number of fragments that validation reads in order to compare them with others. */
const MOST_COMPARISONS = 10_000;

/**
 * The rule of graphql-js with a limit of the comparisons of fragments: it compares each pair in a selection set, with
 * those that they spread. A selection set with too many pairs is refused before they are compared.
 */
export const OverlappingFieldsRule: ValidationRule = (context) => {
  let count = 0;
  const limited = Object.create(context, {
    getFragment: {
      value(name: string) {
        if (++count > MOST_COMPARISONS) throw tooManyComparisons();
        return context.getFragment(name);
      },
    },
  }) as ValidationContext;
  const visitor = OverlappingFieldsCanBeMergedRule(limited) as {
    readonly SelectionSet: (set: SelectionSetNode) => void;
  };
  return {
    SelectionSet(set) {
      // the rule reads each fragment for its fields, and both fragments of each pair
      if (spreadsIn(set).size ** 2 > MOST_COMPARISONS) throw tooManyComparisons();
      visitor.SelectionSet(set);
    },
  };
};

/** Returns the names of the fragments that a selection set spreads, also in inline fragments. */
function spreadsIn({ selections }: SelectionSetNode, names = new Set<string>()): ReadonlySet<string> {
  for (const selection of selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) names.add(selection.name.value);
    else if (selection.kind === Kind.INLINE_FRAGMENT) spreadsIn(selection.selectionSet, names);
  }
  return names;
}

function tooManyComparisons(): GraphQLError {
  return requestError(
    'LIMIT_EXCEEDED',
    `Validation compares more than ${MOST_COMPARISONS} fragments of the document: spread fewer of them in one place.`,
  );
}

/** After as many errors the validation ends, as that of graphql-js does. */
const MAX_ERRORS = 100;

/** The validation yields after this many nodes: about every third of a millisecond. */
const NODES_BETWEEN_YIELDS = 64;

type Children = readonly ASTNode[];

/** What `visitWithTypeInfo` returns. */
interface Visitor {
  readonly enter: ASTVisitFn<ASTNode>;
  readonly leave: ASTVisitFn<ASTNode>;
}

/**
 * Validates a document as `validate` of graphql-js, which no other work can interrupt. Yields between its nodes. A rule
 * that throws a GraphQLError ends the validation with this error alone.
 */
export function* validation(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
): Generator<void, readonly GraphQLError[]> {
  const errors: GraphQLError[] = [];
  const types = new TypeInfo(schema);
  const context = new ValidationContext(schema, document, types, (error) => {
    if (errors.length >= MAX_ERRORS) throw new TooManyErrors();
    errors.push(error);
  });
  const visitor = visitWithTypeInfo(types, visitInParallel(rules.map((rule) => rule(context)))) as Visitor;
  try {
    yield* new Visit(visitor).of(document, undefined, undefined);
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    if (!(error instanceof TooManyErrors)) throw error;
    const message = 'Too many validation errors, error limit reached. Validation aborted.';
    errors.push(new GraphQLError(message));
  }
  return errors;
}

class TooManyErrors extends Error {}

/** Visits nodes in the order of `visit` of graphql-js, for a visitor that changes and skips none. */
class Visit {
  private readonly ancestors: (ASTNode | Children)[] = [];
  private visited = 0;

  constructor(private readonly visitor: Visitor) {}

  *of(
    node: ASTNode,
    key: string | number | undefined,
    parent: ASTNode | Children | undefined,
  ): Generator<void, void> {
    const { visitor, ancestors } = this;
    if (++this.visited % NODES_BETWEEN_YIELDS === 0) yield;
    visitor.enter(node, key, parent, NO_PATH, ancestors);
    if (parent !== undefined) ancestors.push(parent);
    for (const [name, value] of Object.entries(node) as [string, unknown][]) {
      if (name === 'description') continue;
      if (isNode(value)) yield* this.of(value, name, node);
      else if (Array.isArray(value)) yield* this.all(value as Children, node);
    }
    if (parent !== undefined) ancestors.pop();
    visitor.leave(node, key, parent, NO_PATH, ancestors);
  }

  private *all(nodes: Children, parent: ASTNode): Generator<void, void> {
    this.ancestors.push(parent);
    for (const [at, node] of nodes.entries()) yield* this.of(node, at, nodes);
    this.ancestors.pop();
  }
}

/** The rules read no paths. */
const NO_PATH: readonly (string | number)[] = [];

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

/** How long the server reads a document before it yields to other work (ms). */
const SLICE_MS = 3;

/** The rules of a valid document, with a limit of the comparisons of fragments. */
const RULES = specifiedRules.map((rule) =>
  rule.name === 'OverlappingFieldsCanBeMergedRule' ? OverlappingFieldsRule : rule,
);

type Outcome = ReadDocument | { readonly failure: unknown };

/**
 * Parses and validates documents in time slices before Yoga does it in one: a document of the maximum size takes a
 * tenth of a second.
 */
export function useDocuments(
  schema: GraphQLSchema,
  furtherRules: readonly ValidationRule[],
): Plugin<Received, Received> {
  const cache = new DocumentCache();
  const rules = [...RULES, ...furtherRules];
  const outcomes = new WeakMap<Operation, Outcome>();

  function* reading(text: string, { record }: Received): Generator<void, ReadDocument> {
    const document = yield* parsed(text);
    record?.parsed();
    yield;
    const errors = yield* validation(schema, document, rules);
    yield;
    const read = { document, errors: withPaths(document, errors) };
    cache.add(text, read);
    return read;
  }

  return {
    onParams({ params: { query }, context }) {
      if (typeof query !== 'string') return undefined; // Yoga rejects the request
      const { operation, record } = context;
      record?.received(query);
      const known = cache.find(query);
      if (known !== null) {
        record?.parsed();
        outcomes.set(operation, known);
        return undefined;
      }
      const parts = reading(query, context);
      const waiting = operation.read(() => {
        const outcome = slice(parts);
        if (outcome !== null) outcomes.set(operation, outcome);
        return outcome !== null;
      });
      return waiting?.catch((error: unknown) => Promise.reject(refusalError(error)));
    },
    onParse({ context: { operation }, setParseFn }) {
      setParseFn(() => {
        const outcome = outcomes.get(operation)!;
        if ('failure' in outcome) throw outcome.failure;
        return outcome.document;
      });
    },
    onValidate({ context: { operation }, setResult }) {
      setResult((outcomes.get(operation) as ReadDocument).errors);
    },
  };
}

/** Reads a document for one time slice. Returns null if it is not read completely. */
function slice(parts: Generator<void, ReadDocument>): Outcome | null {
  const began = performance.now();
  try {
    do {
      const part = parts.next();
      if (part.done) return part.value;
    } while (performance.now() - began < SLICE_MS);
    return null;
  } catch (failure) {
    return { failure };
  }
}
