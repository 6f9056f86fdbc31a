import {
  getArgumentValues,
  getNamedType,
  GraphQLError,
  isInterfaceType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLNamedType,
  type SelectionSetNode,
} from 'graphql';
import { InvalidInput } from '../model/invalidInput.js';
import { isIncluded, type DocumentInfo } from './selection.js';

/**
 * The extension of a field that rejects arguments. Mutations run `check` on the fields of their payloads before they
 * write, because a rejection afterwards could not undo the write.
 */
export function checkedBefore<Args>(check: (args: Args) => unknown) {
  return { checkArguments: check };
}

/** Returns the error of the first rejected argument of a selection; null if there is none. */
export function rejectedArgument(
  info: DocumentInfo,
  type: GraphQLNamedType,
  selectionSet: SelectionSetNode,
): GraphQLError | null {
  const spread = new Set<string>();

  function inSelections(parent: GraphQLNamedType, { selections }: SelectionSetNode): GraphQLError | null {
    for (const selection of selections) {
      if (!isIncluded(info, selection)) continue;
      let found: GraphQLError | null;
      if (selection.kind === Kind.FIELD) {
        found = inField(parent, selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        found = inSelections(typeOf(selection.typeCondition?.name.value) ?? parent, selection.selectionSet);
      } else {
        const name = selection.name.value;
        if (spread.has(name)) continue;
        spread.add(name);
        const { typeCondition, selectionSet: inner } = info.fragments[name];
        found = inSelections(typeOf(typeCondition.name.value)!, inner);
      }
      if (found !== null) return found;
    }
    return null;
  }

  function inField(parent: GraphQLNamedType, node: FieldNode): GraphQLError | null {
    if (!isObjectType(parent) && !isInterfaceType(parent)) return null; // __typename of a union
    const field = parent.getFields()[node.name.value];
    if (field === undefined) return null;
    const check = field.extensions.checkArguments as ((args: object) => unknown) | undefined;
    try {
      check?.(getArgumentValues(field, node, info.variableValues));
    } catch (error) {
      if (error instanceof InvalidInput)
        return new GraphQLError(error.message, { nodes: node, originalError: error });
    }
    return node.selectionSet ? inSelections(getNamedType(field.type), node.selectionSet) : null;
  }

  const typeOf = (name: string | undefined) => (name === undefined ? undefined : info.schema.getType(name));
  return inSelections(type, selectionSet);
}
