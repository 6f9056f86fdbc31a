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
} from 'graphql';
import { addToGroup } from '../model/collections.js';

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
export function isIncluded({ variableValues }: DocumentInfo, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
}

function isOf({ schema }: DocumentInfo, type: string, condition: string | undefined): boolean {
  if (condition === undefined || condition === type) return true;
  const [abstract, object] = [schema.getType(condition), schema.getType(type)];
  return isAbstractType(abstract) && isObjectType(object) && schema.isSubType(abstract, object);
}
