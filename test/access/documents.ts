import {
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/** The arguments that a field is asked with, in GraphQL, by its name as `Query.consumer`; others take none. */
export type Arguments = (field: string) => string;

interface Step {
  readonly parent: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
}

/** Documents that ask for one field each, by the shortest way from a root on which every field is allowed. */
export class Documents {
  private readonly ways = new Map<string, readonly Step[]>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly argumentsOf: Arguments,
    isAllowed: (field: string) => boolean,
  ) {
    const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
    const open = [...roots];
    for (const root of roots) this.ways.set(root.name, []);
    for (let parent = open.shift(); parent !== undefined; parent = open.shift()) {
      for (const field of Object.values(parent.getFields())) {
        if (!isAllowed(`${parent.name}.${field.name}`)) continue;
        for (const target of this.targets(field)) {
          if (this.ways.has(target.name)) continue;
          this.ways.set(target.name, [...this.ways.get(parent.name)!, { parent, field }]);
          open.push(target);
        }
      }
    }
  }

  /** Asks for `Type.field`, with these arguments or the usual ones. Null: there is no way to the type. */
  document(name: string, given?: string): string | null {
    const [typeName, fieldName] = name.split('.');
    const parent = this.schema.getType(typeName) as GraphQLObjectType;
    const way = this.ways.get(typeName);
    if (way === undefined) return null;
    const steps = [...way, { parent, field: parent.getFields()[fieldName] }];
    const kind = steps[0].parent.name.toLowerCase();
    const last = getNamedType(steps.at(-1)!.field.type);
    const text = steps.reduceRight<string>(
      (inner, { parent: { name: type }, field }, at) => {
        const isLast = at === steps.length - 1;
        const call = `${field.name}${isLast && given !== undefined ? given : this.argumentsOf(`${type}.${field.name}`)}`;
        const next = steps.at(at + 1)?.parent.name;
        const isAbstract = isAbstractType(getNamedType(field.type));
        const selection = isAbstract && next !== undefined ? `__typename ... on ${next} { ${inner} }` : inner;
        return `${call}${selection && ` { ${selection} }`}`;
      },
      isLeafType(last) ? '' : '__typename',
    );
    return `${kind} { ${text} }`;
  }

  private targets({ type }: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] {
    const target = getNamedType(type);
    if (isObjectType(target)) return [target];
    // every node has a field of its own, which shows more of it
    return isAbstractType(target) && target.name !== 'Node' ? this.schema.getPossibleTypes(target) : [];
  }
}
