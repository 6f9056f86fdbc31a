import {
  getDirectiveValues,
  getNamedType,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Receives every value of an answer with the name of its field. */
type Visit = (field: string, value: unknown) => void;

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Float: (value) => typeof value === 'number',
  Int: (value) => Number.isInteger(value) && Math.abs(value as number) <= 2 ** 31,
  SafeInt: (value) => Number.isSafeInteger(value),
  UUID: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value)),
  DateTime: (value) => !Number.isNaN(Date.parse(String(value))),
};

/**
 * Compares the data of an answer with the schema and the document. It has exactly the selected
 * keys, each with a value of its type.
 */
export class AnswerCheck {
  readonly findings: string[] = [];

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
    private readonly variables: Readonly<Record<string, unknown>>,
    private readonly visit: Visit,
  ) {}

  check(data: unknown): void {
    for (const definition of this.document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      this.object(this.schema.getRootType(definition.operation)!, [definition.selectionSet], data, 'data');
    }
  }

  private object(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    value: unknown,
    path: string,
  ): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.find(path, 'is no object', value);
    const object = value as Record<string, unknown>;
    const fields = new Map<string, FieldNode[]>();
    for (const { selections } of sets) this.collect(type, selections, fields);
    const keys = [...fields.keys()];
    if (keys.join() !== Object.keys(object).join())
      this.find(path, `does not have the keys ${keys.join()}`, value);
    for (const [key, nodes] of fields) {
      const name = nodes[0].name.value;
      this.visit(name, object[key]);
      if (name === '__typename') {
        if (object[key] !== type.name) this.find(path, `is no ${type.name}`, value);
        continue;
      }
      const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      this.value(type.getFields()[name].type, inner, object[key], `${path}.${key}`);
    }
  }

  private collect(
    type: GraphQLObjectType,
    selections: readonly SelectionNode[],
    fields: Map<string, FieldNode[]>,
  ): void {
    for (const selection of selections) {
      if (!this.isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        fields.set(key, [...(fields.get(key) ?? []), selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value ?? type.name;
        if (this.applies(type, condition)) this.collect(type, selection.selectionSet.selections, fields);
      } else {
        const fragment = this.document.definitions.find(
          (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value,
        );
        if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) continue;
        if (this.applies(type, fragment.typeCondition.name.value))
          this.collect(type, fragment.selectionSet.selections, fields);
      }
    }
  }

  private isIncluded(selection: SelectionNode): boolean {
    const skip = getDirectiveValues(GraphQLSkipDirective, selection, this.variables);
    const include = getDirectiveValues(GraphQLIncludeDirective, selection, this.variables);
    return skip?.if !== true && include?.if !== false;
  }

  private applies(type: GraphQLObjectType, condition: string): boolean {
    if (type.name === condition) return true;
    const abstract = this.schema.getType(condition);
    return isAbstractType(abstract) && this.schema.isSubType(abstract, type);
  }

  private value(
    type: GraphQLOutputType,
    sets: readonly SelectionSetNode[],
    value: unknown,
    path: string,
  ): void {
    if (isNonNullType(type)) {
      if (value === null || value === undefined) return this.find(path, 'is null', value);
      return this.value(type.ofType as GraphQLOutputType, sets, value, path);
    }
    if (value === null) return;
    if (isListType(type)) {
      if (!Array.isArray(value)) return this.find(path, 'is no list', value);
      value.forEach((item, index) => this.value(type.ofType, sets, item, `${path}.${index}`));
      return;
    }
    const named = getNamedType(type);
    if (isEnumType(named)) {
      if (typeof value !== 'string' || !named.getValue(value)) this.find(path, `is no ${named.name}`, value);
    } else if (named.name in SCALARS) {
      if (!SCALARS[named.name](value)) this.find(path, `is no ${named.name}`, value);
    } else if (isAbstractType(named)) {
      const name = (value as { __typename?: string }).__typename ?? '';
      const actual = this.schema.getType(name) as GraphQLObjectType | undefined;
      if (actual && this.schema.isSubType(named, actual)) this.object(actual, sets, value, path);
      else this.find(path, `is no ${named.name}`, value);
    } else this.object(named as GraphQLObjectType, sets, value, path);
  }

  private find(path: string, what: string, value: unknown): void {
    this.findings.push(`${path} ${what}: ${JSON.stringify(value)?.slice(0, 200)}`);
  }
}
