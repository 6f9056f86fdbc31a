import {
  getArgumentValues,
  getNamedType,
  isObjectType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';

/** A document and the values of its variables, as resolvers receive them. */
export interface CoercedDocument {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The maximum number of counted objects and spreads. An operation with more of them costs too much. */
const MAX_STEPS = 20_000;

/**
 * Counts the objects that an introspection returns. It resolves the lists, but each pair of an object and a
 * selection only once.
 */
export class IntrospectionSize {
  private readonly known = new Map<SelectionSetNode, Map<unknown, number>>();
  private steps = 0;

  constructor(private readonly document: CoercedDocument) {}

  /** Returns the number of objects below a field; infinite if there are too many to count. */
  of(field: GraphQLField<unknown, unknown>, source: unknown, node: FieldNode): number {
    const type = getNamedType(field.type);
    if (!isObjectType(type) || !node.selectionSet) return 0;
    const args = getArgumentValues(field, node, this.document.variables);
    // the resolvers of introspection use only the schema
    const info = { schema: this.document.schema } as GraphQLResolveInfo;
    const found = field.resolve!(source, args, undefined, info);
    let sum = 0;
    for (const each of Array.isArray(found) ? (found as unknown[]) : [found]) {
      if (each != null) sum += this.ofObject(each, type.getFields(), node.selectionSet);
      if (sum === Infinity) break;
    }
    return sum;
  }

  private ofObject(source: unknown, fields: Fields, set: SelectionSetNode): number {
    let known = this.known.get(set);
    if (known === undefined) this.known.set(set, (known = new Map<unknown, number>()));
    let size = known.get(source);
    if (size === undefined) {
      size = this.steps++ < MAX_STEPS ? 1 + this.ofSelections(source, fields, set) : Infinity;
      known.set(source, size);
    }
    return size;
  }

  private ofSelections(source: unknown, fields: Fields, { selections }: SelectionSetNode): number {
    let sum = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const field = fields[selection.name.value] as Fields[string] | undefined;
        if (field) sum += this.of(field, source, selection);
      } else {
        const set =
          selection.kind === Kind.FRAGMENT_SPREAD
            ? this.document.fragments.get(selection.name.value)?.selectionSet
            : selection.selectionSet;
        if (set) sum += this.steps++ < MAX_STEPS ? this.ofSelections(source, fields, set) : Infinity;
      }
      if (sum === Infinity) break;
    }
    return sum;
  }
}

type Fields = Readonly<Record<string, GraphQLField<unknown, unknown>>>;
