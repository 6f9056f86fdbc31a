import {
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { fieldCount, sizeOfText } from './inputSize.js';

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

/** The values of literals, and the numbers of uses of variables and of spreads of fragments by name. */
interface Contents {
  literals: number;
  readonly variables: Map<string, number>;
  readonly spreads: Map<string, number>;
}

type OperationContents = Omit<Contents, 'spreads'>;

/** Counts what the definitions of a valid document contain, each of them once. */
export class DocumentContents {
  private static readonly known = new WeakMap<DocumentNode, DocumentContents>();

  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly contents = new WeakMap<Definition, Contents>();
  private readonly ofOperations = new WeakMap<OperationDefinitionNode, OperationContents>();

  static of(schema: GraphQLSchema, document: DocumentNode): DocumentContents {
    let contents = this.known.get(document);
    if (contents === undefined) this.known.set(document, (contents = new this(schema, document)));
    return contents;
  }

  private constructor(
    private readonly schema: GraphQLSchema,
    { definitions }: DocumentNode,
  ) {
    for (const definition of definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
  }

  /** Returns the contents of an operation, with those of a fragment as often as it is spread. */
  inAll(operation: OperationDefinitionNode): OperationContents {
    let all = this.ofOperations.get(operation);
    if (all === undefined) this.ofOperations.set(operation, (all = this.sum(operation)));
    return all;
  }

  private sum(operation: OperationDefinitionNode): OperationContents {
    const times = new Map<Contents, number>([[this.in(operation), 1]]);
    const all = { literals: 0, variables: new Map<string, number>() };
    for (const each of this.outermostFirst(operation)) {
      const factor = times.get(each)!;
      all.literals += factor * each.literals;
      for (const [name, count] of each.variables) add(all.variables, name, factor * count);
      for (const [name, count] of each.spreads) add(times, this.inFragment(name), factor * count);
    }
    return all;
  }

  /** Returns the contents of an operation and of its fragments, each before those that it spreads. */
  private outermostFirst(operation: OperationDefinitionNode): Contents[] {
    const innermostFirst = new Set<Contents>();
    const collect = (contents: Contents): void => {
      if (innermostFirst.has(contents)) return;
      for (const name of contents.spreads.keys()) collect(this.inFragment(name));
      innermostFirst.add(contents);
    };
    collect(this.in(operation));
    return [...innermostFirst].reverse();
  }

  private inFragment(name: string): Contents {
    return this.in(this.fragments.get(name)!);
  }

  private in(definition: Definition): Contents {
    let contents = this.contents.get(definition);
    if (contents === undefined)
      this.contents.set(definition, (contents = contentsIn(definition, new TypeInfo(this.schema))));
    return contents;
  }
}

/** Counts what a node contains. */
export function contentsIn(root: ASTNode, types: TypeInfo): Contents {
  const contents: Contents = { literals: 0, variables: new Map(), spreads: new Map() };
  const one = (): void => void contents.literals++;
  visit(
    root,
    visitWithTypeInfo(types, {
      VariableDefinition: () => false,
      Variable: ({ name }) => add(contents.variables, name.value, 1),
      FragmentSpread: ({ name }) => add(contents.spreads, name.value, 1),
      ObjectValue: () => void (contents.literals += 1 + fieldCount(types.getInputType())),
      StringValue: ({ value }) => void (contents.literals += sizeOfText(value)),
      ListValue: one,
      IntValue: one,
      FloatValue: one,
      BooleanValue: one,
      EnumValue: one,
      NullValue: one,
    }),
  );
  return contents;
}

function add<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
