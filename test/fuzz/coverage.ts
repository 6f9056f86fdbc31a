import { isInputObjectType, isInterfaceType, isObjectType, type GraphQLSchema } from 'graphql';

/**
 * Counts the uses of each field, argument and field of an input object, by `Type.field` and
 * `Type.field.argument`.
 */
export class Coverage {
  private readonly counts = new Map<string, number>();

  constructor(schema: GraphQLSchema) {
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if (isInputObjectType(type))
        for (const name of Object.keys(type.getFields())) this.counts.set(`${type.name}.${name}`, 0);
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        this.counts.set(`${type.name}.${field.name}`, 0);
        for (const { name } of field.args) this.counts.set(`${type.name}.${field.name}.${name}`, 0);
      }
    }
  }

  use(coordinate: string): void {
    this.counts.set(coordinate, this.times(coordinate) + 1);
  }

  times(coordinate: string): number {
    const count = this.counts.get(coordinate);
    if (count === undefined) throw new Error(`the schema has no ${coordinate}`);
    return count;
  }

  unused(): string[] {
    return [...this.counts].flatMap(([coordinate, count]) => (count === 0 ? [coordinate] : []));
  }
}
