import {
  getOperationAST,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
} from 'graphql';
import { rejectedArgument } from '../../api/argumentChecks.js';
import { CommittedError } from '../../api/committedError.js';
import type { Context } from '../../api/context.js';
import { costsOfFields } from '../../api/cost/operationCost.js';
import { selectedFields, type DocumentInfo, type SelectedField } from '../../api/selection.js';
import { DocumentContents } from './documentContents.js';

type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Executes each mutation of a document on its own. If the payload of a committed write cannot be read, its result is a
 * {@link CommittedError}, and the later mutations run: the executor itself would discard the whole answer, because no
 * result is nullable. A mutation that fails otherwise has changed nothing. Then `data` is null, as from the executor,
 * and `errors` names each write that was committed before.
 *
 * Arguments of payloads are checked before the first write.
 *
 * @param variables as resolvers receive them
 */
export async function executeMutations(
  args: ExecutionArgs,
  variables: DocumentInfo['variableValues'],
  execute: Execute,
): Promise<ExecutionResult> {
  const { schema, document, operationName } = args;
  const context = args.contextValue as Context;
  const operation = getOperationAST(document, operationName)!;
  const type = schema.getRootType(OperationTypeNode.MUTATION)!;
  const info = { schema, fragments: fragmentsOf(args), variableValues: variables };
  const rejected = rejectedArgument(info, type, operation.selectionSet);
  if (rejected !== null) return { data: null, errors: [rejected] };
  const fields = selectedFields(info, type.name, [operation]);
  const parts = fields.map((field) => ({
    ...args,
    document: fields.length === 1 ? document : { ...document, definitions: partOf(args, operation, field) },
  }));
  const reserved = costsOfLater(args, variables, fields);
  const data = Object.create(null) as Record<string, unknown>;
  const errors: GraphQLError[] = [];
  const committed: [field: SelectedField, written: readonly string[]][] = [];
  for (const [index, field] of fields.entries()) {
    // aborted: each mutation reports that it has changed nothing
    await context.operation.pauseAfterSlice()?.catch(() => undefined);
    context.written = null;
    context.operation.beginMutation(reserved[index]);
    const result = await execute(parts[index]);
    const { written } = context;
    const { payloadRefusal } = context.operation;
    const isUnread = written !== null && (!result.data || payloadRefusal !== null);
    const failures = refusedOnce(result.errors ?? [], payloadRefusal);
    errors.push(...(written === null ? failures : failures.map((error) => unreadError(error, written))));
    if (written !== null && failures.length === 0) committed.push([field, written]);
    if (isUnread) data[field.key] = committedResult(info, field, written);
    else if (result.data) data[field.key] = result.data[field.key];
    else return { ...result, errors: [...errors, ...committed.map((each) => voidedError(...each))] };
  }
  return errors.length === 0 ? { data } : { data, errors };
}

/** Returns for each mutation the estimated cost of those after it, which it leaves to them. */
function costsOfLater(
  args: ExecutionArgs,
  variables: DocumentInfo['variableValues'],
  fields: readonly SelectedField[],
): number[] {
  if (fields.length === 1) return [0];
  const costs = costsOfFields(args, variables, fields);
  return costs.map((_cost, index) => costs.slice(index + 1).reduce((sum, cost) => sum + cost, 0));
}

function fragmentsOf({ document }: ExecutionArgs): Record<string, FragmentDefinitionNode> {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>;
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  return fragments;
}

/**
 * Returns the definitions of a document whose operation selects one field. It defines only the variables of this field:
 * the executor coerces all of them for each part.
 */
function partOf(
  { schema, document }: ExecutionArgs,
  operation: OperationDefinitionNode,
  { nodes }: SelectedField,
) {
  const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const;
  const part = { ...operation, selectionSet };
  const { variables } = DocumentContents.of(schema, document).inAll(part);
  const variableDefinitions = operation.variableDefinitions?.filter(({ variable }) =>
    variables.has(variable.name.value),
  );
  return document.definitions.map((each) => (each === operation ? { ...part, variableDefinitions } : each));
}

/** Returns the CommittedError of a mutation with the fields that the document selects of it. */
function committedResult(info: DocumentInfo, { nodes }: SelectedField, ids: readonly string[]): object {
  const { name, code, message, path, retryable } = new CommittedError(ids, null);
  const values: Readonly<Record<string, unknown>> = { __typename: name, ids, code, message, path, retryable };
  const selected = selectedFields(info, name, nodes);
  return Object.fromEntries(selected.map((field) => [field.key, values[field.name]]));
}

/** Returns the errors with only the first of those that refuse to read the payload. */
function refusedOnce(errors: readonly GraphQLError[], refusal: Error | null): readonly GraphQLError[] {
  const first = errors.find(({ originalError }) => originalError === refusal);
  return errors.filter((error) => error === first || error.originalError !== refusal);
}

/** Adds to the error of a payload that its write was committed. */
function unreadError(error: GraphQLError, ids: readonly string[]): GraphQLError {
  const { message, nodes, source, positions, path } = error;
  const originalError = new CommittedError(ids, error);
  return new GraphQLError(message, { nodes, source, positions, path, originalError });
}

/** Returns the error of a committed write whose result is lost because a later mutation fails. */
function voidedError({ key, nodes }: SelectedField, ids: readonly string[]): GraphQLError {
  const originalError = new CommittedError(ids, null);
  return new GraphQLError(originalError.message, { nodes, path: [key], originalError });
}
