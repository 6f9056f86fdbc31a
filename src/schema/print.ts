import { printSchema as print } from 'graphql';
import { buildSchema } from './schema.js';

/** The schema in the form of the file schema.graphql: sorted, with all descriptions. */
export function printSchema(): string {
  return `${print(buildSchema())}\n`;
}
