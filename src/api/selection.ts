import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  isObjectType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLResolveInfo,
  type InlineFragmentNode,
  type SelectionNode,
  getArgumentValues,
  getNamedType,
  GraphQLError,
  isInterfaceType,
  type GraphQLNamedType,
  type SelectionSetNode,
} from 'graphql';
import { addToGroup } from '../model/collections.js';
import { InvalidInput } from '../model/input.js';

/** The parts of a resolver's `info` that determine the selections of the document. */
export type DocumentInfo = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/** A field of the response: its key there, its schema name, and the nodes that select it. */
export interface SelectedField {
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
}

/**
 * Returns the fields that `nodes` select of an object of `type`, in response order (GraphQL
 * specification, "Field Collection"). Spreads fragments, obeys `@skip` and `@include`, and merges
 * fields with the same response key.
 */
export function selectedFields(
  info: DocumentInfo,
  type: string,
  nodes: readonly Pick<FieldNode, 'selectionSet'>[],
): readonly SelectedField[] {
  const nodesByKey = new Map<string, FieldNode[]>();
  const spread = new Set<string>();

  function collect(selections: readonly SelectionNode[]): void {
    for (const selection of selections) {
      if (!isIncluded(info, selection)) continue;
      if (selection.kind === Kind.FIELD) {
        addToGroup(nodesByKey, (selection.alias ?? selection.name).value, selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collectWhere(selection);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        collectWhere(info.fragments[selection.name.value]);
      }
    }
  }

  function collectWhere({ typeCondition, selectionSet }: InlineFragmentNode | FragmentDefinitionNode): void {
    if (isOf(info, type, typeCondition?.name.value)) collect(selectionSet.selections);
  }

  for (const { selectionSet } of nodes) collect(selectionSet?.selections ?? []);
  return [...nodesByKey].map(([key, found]) => ({ key, name: found[0].name.value, nodes: found }));
}

/** Returns whether the document selects a field of the returned object. */
export function selects(info: GraphQLResolveInfo, type: string, name: string): boolean {
  return selectedFields(info, type, info.fieldNodes).some((field) => field.name === name);
}

/** Returns whether `@skip` and `@include` keep a selection. */
function isIncluded({ variableValues }: DocumentInfo, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
}

function isOf({ schema }: DocumentInfo, type: string, condition: string | undefined): boolean {
  if (condition === undefined || condition === type) return true;
  const [abstract, object] = [schema.getType(condition), schema.getType(type)];
  return isAbstractType(abstract) && isObjectType(object) && schema.isSubType(abstract, object);
}

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
