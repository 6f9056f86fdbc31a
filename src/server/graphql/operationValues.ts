import {
  TypeInfo,
  typeFromAST,
  type ExecutionArgs,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql';
import { contentsIn, DocumentContents } from './documentContents.js';
import { requestError } from './errorCodes.js';
import { inputSize } from './inputSize.js';

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
