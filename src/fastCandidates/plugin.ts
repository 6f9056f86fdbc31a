import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  getOperationAST,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLResolveInfo,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { FoundCandidates } from '../placement/candidateSearch.js';
import { candidatesText, PRE_SERIALIZED } from './candidatesText.js';
import type { Context } from '../schema/context.js';

const FIELD = 'allocationCandidates';

/** An answer longer than this is sent while it is made. */
const LONGEST_AT_ONCE = 262_144;

/** Work between two yields to the event loop while an answer is made. */
const SLICE_MS = 5;

/**
 * Serializes candidates straight to JSON instead of resolving them field by field (ADR 6). The document is
 * executed as ever, but in a schema in which allocationCandidates is a leaf whose value is its JSON text; so
 * arguments, aliases, directives, errors and all other fields are the executor's. A document that selects
 * what needs a resolver is executed in the schema itself.
 */
export function usePreSerializedCandidates(schema: GraphQLSchema): Plugin {
  const leafSchema = withLeaf(schema);
  const known = new WeakMap<DocumentNode, boolean>();

  function canPreSerialize(document: DocumentNode): boolean {
    const can: boolean = known.get(document) ?? isPreSerialized(schema, document);
    known.set(document, can);
    return can;
  }

  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { document, operationName, contextValue } = args as unknown as RunningOperation;
      if (getOperationAST(document, operationName)?.operation !== OperationTypeNode.QUERY) return undefined;
      if (!takesJson(contextValue.request) || !canPreSerialize(document)) return undefined;
      const snapshot = begun(contextValue.snapshots);
      const { speculative, fullLoads } = contextValue.snapshots;
      const context: Context = {
        ...contextValue,
        snapshots: { current: () => snapshot, speculative, fullLoads },
      };
      setExecuteFn((given: ExecutionArgs): unknown =>
        executeFn({ ...given, schema: leafSchema, contextValue: context }),
      );
      return {
        onExecuteDone({ result, setResult }) {
          if ('data' in result) setResult({ ...result, stringify } as ExecutionResult);
        },
      };
    },
  };
}

interface RunningOperation extends ExecutionArgs {
  readonly contextValue: Context & { readonly request: Request };
}

/**
 * Asks for the current snapshot now, so that the database answers while the operation is still being
 * prepared.
 */
function begun(snapshots: Context['snapshots']): ReturnType<Context['snapshots']['current']> {
  const snapshot = snapshots.current();
  snapshot.catch(() => undefined); // whoever uses it is told; perhaps nobody does
  return snapshot;
}

/**
 * Whether the answer goes out as JSON: alone that may be text. (The other forms are those for streams of
 * answers.)
 */
function takesJson(request: Request): boolean {
  const accept = request.headers.get('accept');
  return accept === null || /application\/|\*\/\*/.test(accept);
}

/** Whether a document asks for candidates, and of them for nothing but what can be pre-serialized. */
function isPreSerialized(schema: GraphQLSchema, document: DocumentNode): boolean {
  let asks = false;
  let can = true;
  let inside = 0;
  const types = new TypeInfo(schema);
  const count = { enter: () => void inside++, leave: () => void inside-- };
  visit(
    document,
    visitWithTypeInfo(types, {
      FragmentDefinition: count,
      Field: {
        enter({ name: { value: name } }) {
          const parent = types.getParentType()?.name;
          if (inside > 0 && name !== '__typename' && !PRE_SERIALIZED.has(`${parent}.${name}`)) can = false;
          if (parent !== 'Query' || name !== FIELD) return;
          asks = true;
          inside++;
        },
        leave({ name: { value: name } }) {
          if (types.getParentType()?.name === 'Query' && name === FIELD) inside--;
        },
      },
    }),
  );
  return asks && can;
}

/** What stands for an AllocationCandidates object in a result. */
class PreSerialized {
  constructor(
    private readonly info: GraphQLResolveInfo,
    private readonly found: FoundCandidates,
  ) {}

  pieces(): Generator<string> {
    return candidatesText(this.info, this.info.fieldNodes, this.found);
  }
}

/** The schema with a leaf in place of AllocationCandidates. Documents are never validated against it. */
function withLeaf(schema: GraphQLSchema): GraphQLSchema {
  const { types, ...config } = schema.toConfig();
  const { fields, ...query } = schema.getQueryType()!.toConfig();
  const { resolve, ...field } = fields[FIELD];
  const type = new GraphQLScalarType({ name: 'PreSerialized', serialize: (value) => value });
  const leaf = {
    ...field,
    type,
    resolve: async (...call: Parameters<NonNullable<typeof resolve>>) =>
      new PreSerialized(call[3], (await resolve!(...call)) as FoundCandidates),
  };
  return new GraphQLSchema({
    ...config,
    query: new GraphQLObjectType({ ...query, fields: { ...fields, [FIELD]: leaf } }),
    types: types.filter(({ name }) => name !== query.name),
  });
}

/**
 * The text of a result. Yoga makes a response of whatever a result's `stringify` gives: of a stream as well.
 */
function stringify({ data, errors, extensions }: ExecutionResult): string {
  const pieces = resultPieces(data, { errors, extensions });
  let text = '';
  for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
    text += piece.value;
    if (text.length > LONGEST_AT_ONCE) return streamed(text, pieces) as unknown as string;
  }
  return text;
}

function* resultPieces(data: ExecutionResult['data'], rest: object): Generator<string> {
  yield '{"data":';
  if (data == null) yield 'null';
  else yield* dataPieces(data);
  const text = JSON.stringify(rest);
  yield text === '{}' ? '}' : `,${text.slice(1)}`;
}

function* dataPieces(data: NonNullable<ExecutionResult['data']>): Generator<string> {
  let lead = '{';
  for (const [key, value] of Object.entries(data)) {
    yield `${lead}${JSON.stringify(key)}:`;
    lead = ',';
    if (value instanceof PreSerialized) yield* value.pieces();
    else yield JSON.stringify(value);
  }
  yield lead === '{' ? '{}' : '}';
}

/** Text as it is taken, yielding to other work in between. */
function streamed(begun: string, pieces: Iterable<string>): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    yield Buffer.from(begun);
    let since = performance.now();
    for (const piece of pieces) {
      yield Buffer.from(piece);
      if (performance.now() - since < SLICE_MS) continue;
      await setImmediate();
      since = performance.now();
    }
  }
  return Readable.from(bytes(), { objectMode: false });
}
