import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  print,
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
} from 'graphql';

/** What GraphQL itself defines needs no page. */
const BUILT_IN = new Set(['Boolean', 'Float', 'ID', 'Int', 'String']);

/** The page of a type, without `.md`; undefined for types of GraphQL itself. */
export function pageOf(type: GraphQLNamedType): string | undefined {
  if (BUILT_IN.has(type.name)) return undefined;
  if (isObjectType(type)) return 'objects';
  if (isInterfaceType(type)) return 'interfaces';
  if (isUnionType(type)) return 'unions';
  if (isInputObjectType(type)) return 'inputs';
  if (isEnumType(type)) return 'enums';
  return isScalarType(type) ? 'scalars' : undefined;
}

/** A type as the schema writes it, its name a link. */
function typeLink(type: GraphQLType): string {
  if (isNonNullType(type)) return `${typeLink(type.ofType)}!`;
  if (isListType(type)) return `\\[${typeLink(type.ofType)}\\]`;
  const page = pageOf(type);
  return page === undefined ? type.name : `[${type.name}](${page}.md#${type.name.toLowerCase()})`;
}

/** A description in one line of text, as a cell or paragraph wants it. */
const text = (described: { readonly description?: string | null }): string =>
  (described.description ?? '').replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** A default value as a document would write it. */
function defaultOf({ defaultValue, type }: GraphQLArgument | GraphQLInputField): string {
  const value = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return value ? `\`${print(value)}\`` : '';
}

/** What a field or an input object takes. */
function inputTable(head: string, inputs: readonly (GraphQLArgument | GraphQLInputField)[]): string {
  return table(
    [head, 'type', 'default', 'what it is'],
    inputs.map((input) => [`\`${input.name}\``, typeLink(input.type), defaultOf(input), text(input)]),
  );
}

function fieldTable(fields: readonly GraphQLField<unknown, unknown>[]): string {
  const rows = fields.flatMap((field) => [
    [`\`${field.name}\``, typeLink(field.type), text(field)],
    ...field.args.map((arg) => [
      `\`${field.name}(${arg.name})\``,
      typeLink(arg.type),
      `${text(arg)}${defaultOf(arg) && ` By default ${defaultOf(arg)}.`}`,
    ]),
  ]);
  return table(['field', 'type', 'what it is'], rows);
}

/** All that the schema says of a type, below its name as a heading. */
export function typeSection(type: GraphQLNamedType): string {
  return [`## ${type.name}`, text(type), ...contentOf(type)].join('\n\n');
}

function contentOf(type: GraphQLNamedType): string[] {
  if (isInputObjectType(type)) {
    const oneOf = type.isOneOf ? ['Exactly one of its fields is given.'] : [];
    return [...oneOf, inputTable('field', Object.values(type.getFields()))];
  }
  if (isEnumType(type))
    return [
      table(
        ['value', 'what it means'],
        type.getValues().map((value) => [`\`${value.name}\``, text(value)]),
      ),
    ];
  if (isUnionType(type)) return [`One of ${type.getTypes().map(typeLink).join(', ')}.`];
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const faces = type.getInterfaces();
  const implemented = faces.length > 0 ? [`Implements ${faces.map(typeLink).join(', ')}.`] : [];
  return [...implemented, fieldTable(Object.values(type.getFields()))];
}

/** An operation: its description, arguments and type. */
export function operationSection(field: GraphQLField<unknown, unknown>): string {
  const takes = field.args.length > 0 ? [inputTable('argument', field.args)] : [];
  return [`## ${field.name}`, text(field), `Answers ${typeLink(field.type)}.`, ...takes].join('\n\n');
}
