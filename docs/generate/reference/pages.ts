import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isIntrospectionType, type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { exampleOfEach, exampleText } from './examples.js';
import { operationSection, pageOf, typeSection } from './types.js';

/** Where the pages are. */
export const FOLDER = 'docs/reference/api';

const KINDS: Readonly<Record<string, string>> = {
  objects: 'Objects',
  interfaces: 'Interfaces',
  unions: 'Unions',
  inputs: 'Input objects',
  enums: 'Enums',
  scalars: 'Scalars',
};

const page = (title: string, sections: readonly string[]): string =>
  `${[`# ${title}`, 'Made from [schema.graphql](../../../schema.graphql) by `npm run schema`.', ...sections].join('\n\n')}\n`;

/** The reference of the API, from the schema and the documents of the repository: names of files, and what they contain. */
export function referencePages(root: string): Map<string, string> {
  const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'));
  const examples = exampleOfEach(root, schema);
  const operationPage = (title: string, type: GraphQLObjectType): string =>
    page(
      title,
      Object.values(type.getFields()).flatMap((field) => [
        operationSection(field),
        ...[examples.get(`${type.name}.${field.name}`)].flatMap((example) =>
          example ? [exampleText(example, FOLDER)] : [],
        ),
      ]),
    );
  return new Map([
    ['queries.md', operationPage('Queries', schema.getQueryType()!)],
    ['mutations.md', operationPage('Mutations', schema.getMutationType()!)],
    ['subscriptions.md', operationPage('Subscriptions', schema.getSubscriptionType()!)],
    ...Object.entries(KINDS).map(
      ([kind, title]) => [`${kind}.md`, page(title, sectionsOf(schema, kind))] as const,
    ),
  ]);
}

function sectionsOf(schema: GraphQLSchema, kind: string): string[] {
  const roots: unknown[] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !roots.includes(type) && pageOf(type) === kind)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(typeSection);
}
