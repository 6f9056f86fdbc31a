import { createHash } from 'node:crypto';
import { GraphQLError, Kind, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** The maximum number of refused documents, the approximate size of all, and of one of them (bytes). */
const MOST = 1_000;
const MOST_BYTES = 4_194_304;
const MOST_BYTES_OF_ONE = 131_072;

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
    max: MOST,
    maxSize: MOST_BYTES,
    maxEntrySize: MOST_BYTES_OF_ONE,
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
