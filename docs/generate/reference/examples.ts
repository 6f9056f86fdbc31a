import { posix } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { operationsOf, testedDocuments, type TestedDocument } from '../documents.js';

/** An answer with more lines than this is read in the guide. */
const LONGEST_ANSWER = 40;

const lines = (text: string): number => text.split('\n').length;

/** Of each field of a root type, such as `Query.usages`, the best example: of one operation, with its answer, and short. */
export function exampleOfEach(root: string, schema: GraphQLSchema): Map<string, TestedDocument> {
  const best = new Map<string, { example: TestedDocument; rank: number }>();
  for (const example of testedDocuments(root)) {
    const operations = operationsOf(example.document, schema);
    const rank =
      lines(example.text) +
      1_000 * (operations.length - 1) +
      (example.answer === undefined ? 10_000 : 0) +
      (example.file.endsWith('.md') ? 0 : 100);
    for (const operation of operations)
      if (rank < (best.get(operation)?.rank ?? Infinity)) best.set(operation, { example, rank });
  }
  return new Map([...best].map(([operation, { example }]) => [operation, example]));
}

/** An example in Markdown, for a page in the folder. */
export function exampleText({ file, text, answer }: TestedDocument, folder: string): string {
  const source = `[${posix.basename(file)}](${posix.relative(folder, file)})`;
  const document = `\`\`\`graphql\n${text.trim()}\n\`\`\``;
  if (answer === undefined) return `Example, from ${source}:\n\n${document}`;
  if (lines(answer) > LONGEST_ANSWER) return `Example, from ${source}, where its answer is:\n\n${document}`;
  return `Example, from ${source}, and its answer:\n\n${document}\n\n\`\`\`json\n${answer.trim()}\n\`\`\``;
}
