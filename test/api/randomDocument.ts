import {
  getNamedType,
  isLeafType,
  isObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { PRE_SERIALIZED } from '../../src/api/candidates/candidatesText.js';
import { fc } from '../support/fastCheck.js';

/** A random choice from 0 to `most`. */
type Choose = (most: number) => number;

/** A query document over allocationCandidates, with the variables $request, $limit, $yes and $no. */
export function randomDocument(schema: GraphQLSchema, draw: fc.GeneratorValue): string {
  const choose: Choose = (most) => draw(fc.nat, { max: most });
  const writer = new DocumentWriter(choose);
  const query = schema.getQueryType()!;
  const roots = Array.from({ length: 1 + choose(2) }, () => writer.field(query, 'allocationCandidates', 6));
  if (choose(3) === 0) roots.push('__typename');
  if (choose(5) === 0) roots.push('trait(name: "HW_NUMA_ROOT") { name isStandard }');
  const variables = '$request: AllocationCandidatesInput!, $limit: Int, $yes: Boolean = true, $no: Boolean!';
  return [`query (${variables}) { ${roots.join(' ')} }`, ...writer.fragments].join('\n');
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  allocationCandidates: '(request: $request, limit: $limit)',
  inventory: '(resourceClass: "VCPU")',
};

/** Fields whose answers are not the same twice, or that lead away from candidates. */
const LEFT_OUT = new Set(['explanation', 'treeConsumers', 'allocations', 'updatedAt']);

class DocumentWriter {
  readonly fragments: string[] = [];

  constructor(private readonly choose: Choose) {}

  /** One selection of a field; the same alias always stands for the same field, so that selections merge. */
  field(parent: GraphQLObjectType, name: string, depth: number): string {
    const { type } = parent.getFields()[name];
    const alias = this.choose(3) === 0 ? `${'abc'[this.choose(2)]}_${name}: ` : '';
    const head = `${alias}${name}${ARGUMENTS[name] ?? ''}${this.directive()}`;
    const named = getNamedType(type);
    return isObjectType(named) ? `${head} { ${this.selections(named, depth - 1)} }` : head;
  }

  private selections(type: GraphQLObjectType, depth: number): string {
    const count = 1 + this.choose(depth > 4 ? 3 : 2);
    return Array.from({ length: count }, () => this.selection(type, depth)).join(' ');
  }

  private selection(type: GraphQLObjectType, depth: number): string {
    const kind = this.choose(9);
    if (kind === 0 && depth > 0)
      return `... on ${type.name}${this.directive()} { ${this.selections(type, depth - 1)} }`;
    if (kind === 1 && depth > 0) return `...${this.directive()} { ${this.selections(type, depth - 1)} }`;
    if (kind === 2 && depth > 0) return this.spread(type, depth);
    if (kind === 3) return `${this.choose(1) === 0 ? 'kind: ' : ''}__typename${this.directive()}`;
    if (kind === 4 && type.name === 'ResourceProvider') return `... on Node${this.directive()} { id }`;
    const names = Object.values(type.getFields()).filter((field) => this.isWanted(type, field, depth));
    if (names.length === 0) return '__typename';
    return this.field(type, names[this.choose(names.length - 1)].name, depth);
  }

  private spread(type: GraphQLObjectType, depth: number): string {
    const body = this.selections(type, depth - 1);
    const name = `F${this.fragments.length}`;
    this.fragments.push(`fragment ${name} on ${type.name} { ${body} }`);
    const again = this.choose(2) === 0 ? ` ...${name}` : '';
    return `...${name}${this.directive()}${again}`;
  }

  /** Of a provider mostly what needs no resolver; of all else everything. */
  private isWanted(
    parent: GraphQLObjectType,
    { name, type }: GraphQLField<unknown, unknown>,
    depth: number,
  ): boolean {
    if (LEFT_OUT.has(name) && parent.name !== 'AllocationRequest') return false;
    const isLeaf = isLeafType(getNamedType(type));
    if (depth <= 0 && !isLeaf) return false;
    if (parent.name !== 'ResourceProvider' || PRE_SERIALIZED.has(`ResourceProvider.${name}`)) return true;
    return (isLeaf || name === 'traits' || name === 'usages') && this.choose(20) === 0;
  }

  private directive(): string {
    const kind = this.choose(14);
    return (
      [
        '@include(if: $yes)',
        '@include(if: $no)',
        '@skip(if: $no)',
        '@skip(if: true)',
        '@skip(if: $yes) @include(if: $yes)',
      ].map((text) => ` ${text}`)[kind] ?? ''
    );
  }
}
