import {
  GraphQLError,
  TypeInfo,
  ValidationContext,
  visitInParallel,
  visitWithTypeInfo,
  type ASTNode,
  type ASTVisitFn,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';

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
