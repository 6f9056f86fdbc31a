import { createHash } from 'node:crypto';
import {
  getOperationAST,
  Kind,
  print,
  stripIgnoredCharacters,
  visit,
  type DocumentNode,
  type SelectionSetNode,
} from 'graphql';

/** The properties of an operation of a valid document, without values of the client. */
export interface OperationFacts {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name: string | null;
  /** The selected fields of the root type, each once. */
  readonly fields: readonly string[];
}

const MAX_NAME_LENGTH = 100;

/** Enough hexadecimal digits to distinguish documents. */
const HASH_DIGITS = 16;

const MAX_TEXT_LENGTH = 4_000;

/** Computes properties of a document on first use and caches them: clients repeat few documents. */
export class DocumentFacts {
  private readonly operations = new Map<string | null, OperationFacts | null>();
  private hashed: string | undefined;
  private normalized: string | undefined;

  constructor(private readonly document: DocumentNode) {}

  /** Returns null if the operation is ambiguous. */
  operation(name: string | null): OperationFacts | null {
    let facts = this.operations.get(name);
    if (facts === undefined) {
      facts = factsOf(this.document, name);
      if (facts !== null || this.operations.size < 100) this.operations.set(name, facts);
    }
    return facts;
  }

  get hash(): string {
    return (this.hashed ??= hashOf(this.document.loc?.source.body ?? ''));
  }

  get text(): string {
    return (this.normalized ??= withoutLiterals(this.document));
  }
}

const known = new WeakMap<DocumentNode, DocumentFacts>();

export function documentFacts(document: DocumentNode): DocumentFacts {
  let facts = known.get(document);
  if (facts === undefined) known.set(document, (facts = new DocumentFacts(document)));
  return facts;
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
}

function factsOf(document: DocumentNode, name: string | null): OperationFacts | null {
  const found = getOperationAST(document, name);
  if (!found) return null;
  const fields = fieldsOf(found.selectionSet, document);
  return { kind: found.operation, name: found.name?.value.slice(0, MAX_NAME_LENGTH) ?? null, fields };
}

/** Returns the names of the fields of a selection set and of its fragments. Visits each fragment once. */
function fieldsOf(set: SelectionSetNode, { definitions }: DocumentNode): string[] {
  const fragments = new Map<string, SelectionSetNode>();
  for (const each of definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each.selectionSet);
  const fields = new Set<string>();
  const sets = new Set([set]); // the loop also visits those that it adds
  for (const { selections } of sets) {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) sets.add(selection.selectionSet);
      else sets.add(fragments.get(selection.name.value) ?? set);
    }
  }
  return [...fields];
}

/** Returns a document in one line with empty strings, numbers 0 and one entry per list. */
function withoutLiterals(document: DocumentNode): string {
  const bare = visit(document, {
    IntValue: (node) => ({ ...node, value: '0' }),
    FloatValue: (node) => ({ ...node, value: '0' }),
    StringValue: (node) => ({ ...node, value: '', block: false }),
    ListValue: { leave: (node) => ({ ...node, values: node.values.slice(0, 1) }) },
  });
  const text = stripIgnoredCharacters(print(bare));
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
