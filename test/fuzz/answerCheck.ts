import {
  buildASTSchema,
  executeSync,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLScalarType,
  GraphQLSkipDirective,
  Kind,
  parse,
  printSchema,
  visit,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  type SelectionNode,
} from 'graphql';

/** Receives every value of an answer with the name of its field. */
type Receive = (field: string, value: unknown) => void;

/** The values of the scalars of this API in an answer. */
const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  SafeInt: (value) => Number.isSafeInteger(value),
  UUID: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value)),
  DateTime: (value) => !Number.isNaN(Date.parse(String(value))),
};

/**
 * Compares the data of answers with a schema. It executes the document again, and each field resolves to its value in
 * the answer. The results are equal if the data has exactly the selected keys, each with a value of its type.
 */
export class AnswerCheck {
  private readonly schema: GraphQLSchema;

  constructor(schema: GraphQLSchema) {
    const withoutArguments = visit(parse(printSchema(schema)), {
      FieldDefinition: (node) => ({ ...node, arguments: [] }),
    });
    this.schema = buildASTSchema(withoutArguments);
    for (const [name, fits] of Object.entries(SCALARS)) {
      const type = this.schema.getType(name);
      if (!(type instanceof GraphQLScalarType)) throw new Error(`the schema has no ${name}`);
      type.serialize = (value) => {
        if (!fits(value)) throw new Error(`no ${name}: ${JSON.stringify(value)}`);
        return value;
      };
    }
  }

  /** Returns the differences. */
  findings(
    document: DocumentNode,
    variables: Readonly<Record<string, unknown>>,
    data: unknown,
    receive: Receive,
  ): string[] {
    const { errors = [], data: expected } = executeSync({
      schema: this.schema,
      document: withoutVariables(document, variables),
      rootValue: data,
      fieldResolver(source: Readonly<Record<string, unknown>>, _arguments, _context, { path, fieldName }) {
        const value = source[path.key];
        receive(fieldName, value);
        return value;
      },
    });
    if (errors.length > 0) return errors.map(({ path, message }) => `${path?.join('.')}: ${message}`);
    const [found, wanted] = [data, expected].map((each) => JSON.stringify(each));
    return found === wanted ? [] : [`the answer has ${found.slice(0, 500)}, not ${wanted.slice(0, 500)}`];
  }
}

/** Evaluates the directives of a document, and removes its arguments and variables. */
function withoutVariables(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): DocumentNode {
  const isIncluded = (node: SelectionNode): boolean =>
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;
  return visit(document, {
    enter(node: ASTNode) {
      if (node.kind === Kind.OPERATION_DEFINITION) return { ...node, variableDefinitions: [] };
      if (node.kind === Kind.FIELD)
        return isIncluded(node) ? { ...node, arguments: [], directives: [] } : null;
      if (node.kind === Kind.INLINE_FRAGMENT || node.kind === Kind.FRAGMENT_SPREAD)
        return isIncluded(node) ? { ...node, directives: [] } : null;
    },
  });
}
