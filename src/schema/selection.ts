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
  type SelectionNode,
} from 'graphql';

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
  nodes: readonly FieldNode[],
): readonly SelectedField[] {
  const fields = new Map<string, SelectedField & { readonly nodes: FieldNode[] }>();
  const spread = new Set<string>();

  function collect(selections: readonly SelectionNode[]): void {
    for (const selection of selections) {
      if (!isIncluded(info, selection)) continue;
      if (selection.kind === Kind.FIELD) add(selection);
      else collectFragment(selection);
    }
  }

  function add(node: FieldNode): void {
    const key = (node.alias ?? node.name).value;
    const field = fields.get(key);
    if (field === undefined) fields.set(key, { key, name: node.name.value, nodes: [node] });
    else field.nodes.push(node);
  }

  function collectFragment(selection: Exclude<SelectionNode, FieldNode>): void {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value;
      if (spread.has(name)) return;
      spread.add(name);
      collectWhere(info.fragments[name]);
    } else {
      collectWhere(selection);
    }
  }

  function collectWhere(fragment: Pick<FragmentDefinitionNode, 'selectionSet'> & Conditional): void {
    if (isOf(info, type, fragment.typeCondition?.name.value)) collect(fragment.selectionSet.selections);
  }

  for (const { selectionSet } of nodes) collect(selectionSet?.selections ?? []);
  return [...fields.values()];
}

/** Returns whether the document selects a field of the returned object. */
export function selects(info: GraphQLResolveInfo, type: string, name: string): boolean {
  return selectedFields(info, type, info.fieldNodes).some((field) => field.name === name);
}

type Conditional = Partial<Pick<FragmentDefinitionNode, 'typeCondition'>>;

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
