import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  Kind,
  parse,
  print,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';

/** A GraphQL operation in a file that a test runs, with its fragments. */
export interface TestedDocument {
  /** The file, from the folder of the repository on. */
  readonly file: string;
  readonly text: string;
  readonly document: DocumentNode;
  /** What it is answered with, as JSON, where the file has that as well. */
  readonly answer: string | undefined;
}

/** Where documents are that a test runs: requests of guides, examples, the command line. */
const PLACES = ['README.md', 'docs/guides', 'examples', 'src/command'];
const LEFT_OUT = /(^|\/)(node_modules|dist|generated|__generated__)(\/|$)/;

/** How a document stands in a file, by the file's ending. */
const FORMS: Readonly<Record<string, RegExp>> = {
  graphql: /^(?<text>.*)$/gs,
  md: /```graphql\n(?<text>.*?)```(?:\n\n```json\n(?<answer>.*?)```)?/gs,
  ts: /`(?<text>[^`]*)`/g,
  py: /"{3}(?<text>.*?)"{3}|"(?<short>(?:query|mutation|subscription)[^"]*)"/gs,
};

/** Every document that a guide, an example or the command line has. */
export function testedDocuments(root: string): TestedDocument[] {
  return PLACES.flatMap((place) => filesIn(root, place)).flatMap((file) => documentsIn(root, file));
}

function filesIn(root: string, place: string): string[] {
  if (place.endsWith('.md')) return [place];
  return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .map((file) => `${place}/${file}`)
    .filter((file) => !LEFT_OUT.test(file))
    .sort();
}

function documentsIn(root: string, file: string): TestedDocument[] {
  const form = FORMS[file.split('.').at(-1)!];
  if (form === undefined) return [];
  return [...readFileSync(join(root, file), 'utf8').matchAll(form)].flatMap(
    ({ groups = {} }): TestedDocument[] => {
      const text = groups.text ?? groups.short;
      if (!/^\s*(#|\{|query|mutation|subscription|fragment)/.test(text)) return [];
      const own = parsed(text);
      const others = file.endsWith('.graphql') ? fragmentsBeside(root, file) : [];
      const documents = Object.values(
        separateOperations({ ...own, definitions: [...own.definitions, ...others] }),
      );
      if (documents.length === 1 && documents[0].definitions.every((one) => own.definitions.includes(one)))
        return [{ file, text, document: documents[0], answer: groups.answer }];
      return documents.map((document) => ({ file, text: print(document), document, answer: undefined }));
    },
  );
}

/** The fragments of the other files of a folder: the command line has its documents in several files. */
function fragmentsBeside(root: string, file: string): DefinitionNode[] {
  const folder = dirname(file);
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.graphql') && name !== basename(file))
    .flatMap((name) => parsed(readFileSync(join(root, folder, name), 'utf8')).definitions)
    .filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
}

/** Without definitions where the text is something else than GraphQL. */
function parsed(text: string): DocumentNode {
  try {
    return parse(text);
  } catch {
    return { kind: Kind.DOCUMENT, definitions: [] };
  }
}

/** The fields of the root types that a document selects, such as `Query.usages`, as often as it does. */
export function operationsOf(document: DocumentNode, schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const used: string[] = [];
  const types = new TypeInfo(schema);
  const note = (name: string): void => {
    const parent = roots.find((type) => type === types.getParentType());
    if (parent) used.push(`${parent.name}.${name}`);
  };
  visit(document, visitWithTypeInfo(types, { [Kind.FIELD]: ({ name }) => note(name.value) }));
  return used;
}
