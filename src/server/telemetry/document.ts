import { createHash } from 'node:crypto';
import {
  getOperationAST,
  Kind,
  print,
  stripIgnoredCharacters,
  visit,
  type DocumentNode,
  type OperationDefinitionNode,
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

/** Caches a property of a document: clients repeat few documents. */
function cached<T>(compute: (document: DocumentNode) => T): (document: DocumentNode) => T {
  const known = new WeakMap<DocumentNode, T>();
  return (document) => {
    let value = known.get(document);
    if (value === undefined) known.set(document, (value = compute(document)));
    return value;
  };
}

export const documentHash = cached(({ loc }) => hashOf(loc?.source.body ?? ''));
export const documentText = cached(withoutLiterals);

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
}

const factsOf = new WeakMap<OperationDefinitionNode, OperationFacts>();

/** Returns null if the operation is ambiguous. */
export function operationFacts(document: DocumentNode, operationName: string | null): OperationFacts | null {
  const found = getOperationAST(document, operationName);
  if (!found) return null;
  const { operation: kind, name, selectionSet } = found;
  let facts = factsOf.get(found);
  if (facts === undefined) {
    facts = {
      kind,
      name: name?.value.slice(0, MAX_NAME_LENGTH) ?? null,
      fields: fieldsOf(selectionSet, document),
    };
    factsOf.set(found, facts);
  }
  return facts;
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
