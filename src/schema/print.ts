import { printSchema as print } from 'graphql';
import { buildSchema } from './schema.js';

/** Returns the text of schema.graphql. */
export function printSchema(): string {
  return `${print(buildSchema())}\n`;
}
