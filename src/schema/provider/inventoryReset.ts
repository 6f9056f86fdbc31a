import { Kind, type GraphQLResolveInfo, type ValueNode } from 'graphql';
import { INVENTORY_AMOUNTS, type InventoryAmounts } from '../../domain/inventoryFields.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';

interface FieldChange {
  readonly field: keyof InventoryAmounts;
  readonly before: number;
  readonly after: number;
}

export const InventoryFieldChange = builder.objectRef<FieldChange>('InventoryFieldChange').implement({
  description: 'That a write has changed a field of an inventory.',
  fields: (t) => ({
    field: t.exposeString('field', {
      description: 'The name of the field in the input, such as `reserved`.',
    }),
    before: t.exposeFloat('before', { description: 'What was stored before.' }),
    after: t.exposeFloat('after', { description: 'What is stored now.' }),
  }),
});

/** The fields that a write of an inventory did not name, and that are no longer as they were because of that. */
export function fieldsReset(
  before: InventoryAmounts | null,
  after: InventoryAmounts,
  named: ReadonlySet<string>,
): FieldChange[] {
  if (before === null) return [];
  return INVENTORY_AMOUNTS.filter((field) => !named.has(field) && before[field] !== after[field]).map(
    (field) => ({ field, before: before[field], after: after[field] }),
  );
}

/** The fields of `input.inventory` that the client itself has named: what GraphQL hands to resolvers has the defaults filled in. */
export function inventoryFieldsNamed({ fieldNodes, operation }: GraphQLResolveInfo, context: Context) {
  const { params } = context as Context & Partial<WithParams>;
  const given = params?.variables ?? {};
  const [{ arguments: [input] = [] }] = fieldNodes; // the only argument, which is required
  const within = (value: Named | undefined, name: string): Named | undefined => {
    if (value === undefined || !('node' in value)) return inJson(value?.json, name);
    const { node } = value;
    const field =
      node.kind === Kind.OBJECT ? node.fields.find((each) => each.name.value === name) : undefined;
    return field && resolved(field.value);
  };
  const resolved = (node: ValueNode): Named | undefined => {
    if (node.kind !== Kind.VARIABLE) return { node };
    const { value: name } = node.name;
    if (given[name] !== undefined) return { json: given[name] };
    const definition = operation.variableDefinitions?.find((each) => each.variable.name.value === name);
    return definition?.defaultValue && { node: definition.defaultValue };
  };
  const inventory = within(resolved(input.value), 'inventory');
  return new Set(INVENTORY_AMOUNTS.filter((field) => within(inventory, field) !== undefined));
}

/** A part of the request, as the server adds it to the context. */
interface WithParams {
  readonly params: { readonly variables?: Readonly<Record<string, unknown>> | null };
}

/** A value as it stands in the document, or in the variables. */
type Named = { readonly node: ValueNode } | { readonly json: unknown };

function inJson(json: unknown, name: string): Named | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const value = (json as Readonly<Record<string, unknown>>)[name];
  return value === undefined ? undefined : { json: value };
}
