import {
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isAbstractType,
  OperationTypeNode,
  type GraphQLCompositeType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/** A field and the object or interface type that it is selected on. */
export interface Step {
  readonly type: string;
  readonly field: string;
}

export interface SchemaPath {
  readonly operation: OperationTypeNode;
  readonly steps: readonly Step[];
}

/** Finds the shortest path of fields from a root to a field, an argument, or an argument with a field of an input object. */
export function pathTo(schema: GraphQLSchema, coordinate: string): SchemaPath {
  const seen = new Set<string>();
  const roots = Object.values(OperationTypeNode).map((operation) => ({ operation, steps: [] as Step[] }));
  const queue = roots.map((path) => ({ path, type: schema.getRootType(path.operation)! as SelectableType }));
  for (const { path, type } of queue) {
    if (seen.has(type.name)) continue;
    seen.add(type.name);
    for (const field of Object.values(type.getFields())) {
      const steps = [...path.steps, { type: type.name, field: field.name }];
      if (coordinatesOf(type, field.name).includes(coordinate)) return { ...path, steps };
      const next = getNamedType(field.type);
      if (isCompositeType(next))
        queue.push(
          ...selectableTypes(schema, next).map((each) => ({ path: { ...path, steps }, type: each })),
        );
    }
  }
  throw new Error(`no operation reaches ${coordinate}`);
}

type SelectableType = GraphQLObjectType | GraphQLInterfaceType;

/** Returns the types whose fields a selection of a type can contain. */
function selectableTypes(schema: GraphQLSchema, type: GraphQLCompositeType): SelectableType[] {
  if (!isAbstractType(type)) return [type];
  const objects = schema.getPossibleTypes(type);
  return [...new Set([...objects, ...objects.flatMap((each) => each.getInterfaces())])];
}

/**
 * Returns the coordinates that a use of a field can cover: its own, and those of its arguments and
 * of their input objects.
 */
function coordinatesOf(type: SelectableType, name: string): string[] {
  const { args } = type.getFields()[name];
  const found = [`${type.name}.${name}`, ...args.map((each) => `${type.name}.${name}.${each.name}`)];
  // the loop also visits the types that it adds
  const inputs = new Set(args.map((each) => getNamedType(each.type)));
  for (const input of inputs) {
    if (!isInputObjectType(input)) continue;
    for (const each of Object.values(input.getFields())) {
      found.push(`${input.name}.${each.name}`);
      inputs.add(getNamedType(each.type));
    }
  }
  return found;
}
