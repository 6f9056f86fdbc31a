import { printSchema as print } from 'graphql';
import { buildSchema } from './schema.js';

const MAX_COLUMNS = 120;

/** Returns the text of schema.graphql: each description in one line if it fits. */
export function printSchema(): string {
  const block = /^( *)"""\n *(.+)\n *"""$/gm;
  const text = print(buildSchema()).replace(block, (lines, indent: string, description: string) => {
    const line = `${indent}"""${description}"""`;
    return line.length <= MAX_COLUMNS && !/["\\]$/.test(description) ? line : lines;
  });
  return `${text}\n`;
}
