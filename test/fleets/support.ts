import { expect } from '@jest/globals';
import { parse } from 'yaml';
import { yamlOf } from '../../src/command/yamlText.js';
import { SOURCES, type SourceName } from '../../src/command/fleetSources/sources.js';
import {
  checkFleet,
  type ParsedFleet,
  type SourceNode,
  type SourceOptions,
  type SourceTree,
} from '../../src/command/fleetSources/source.js';

/** Reads texts as a source. A text without a name is the file `cn1.txt`. */
async function parsed(
  source: SourceName,
  texts: string | Readonly<Record<string, string>>,
  options: SourceOptions = {},
): Promise<ParsedFleet> {
  const files = typeof texts === 'string' ? { 'cn1.txt': texts } : texts;
  const given = Object.entries(files).map(([name, text]) => ({ name, text }));
  const parse = await SOURCES[source].load();
  const fleet = await parse(given, options);
  checkFleet(fleet.trees, given.map(({ name }) => name).join(', '));
  return fleet;
}

export const read = async (...parameters: Parameters<typeof parsed>): Promise<SourceTree[]> => [
  ...(await parsed(...parameters)).trees,
];

/** Returns what the source states about omitted parts. */
export const notesOf = async (...parameters: Parameters<typeof parsed>): Promise<readonly string[]> =>
  (await parsed(...parameters)).notes ?? [];

/** Returns the message of the failure. */
export async function failureOf(...parameters: Parameters<typeof read>): Promise<string> {
  return read(...parameters).then(
    (trees) => `no failure: ${JSON.stringify(trees)}`,
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );
}

/** Describes a tree: a line for each provider, indented by its depth, with its amounts, traits and aggregates. */
export function picture({ root }: SourceTree): string {
  const lines = (node: SourceNode, depth: number): string[] => {
    const amounts = Object.entries(node.inventories ?? {}).map(([name, { total, reserved, ...rest }]) => {
      const others = Object.entries(rest).map(([field, value]) => ` ${field} ${JSON.stringify(value)}`);
      return `${name}=${total}${reserved ? `-${reserved}` : ''}${others.join('')}`;
    });
    const parts = [
      node.name,
      ...amounts,
      ...(node.traits ?? []),
      ...(node.aggregates ?? []).map((name) => `@${name}`),
    ];
    return [
      '  '.repeat(depth) + parts.join(' '),
      ...(node.children ?? []).flatMap((each) => lines(each, depth + 1)),
    ];
  };
  return lines(root, 0).join('\n');
}

/** Reads a source of one host. */
export async function only(...parameters: Parameters<typeof read>): Promise<string> {
  const [tree, ...others] = await read(...parameters);
  expect(others).toEqual([]);
  return picture(tree);
}

/** Writes data as the program does, and reads it by the rules of YAML 1.1. */
export async function parsedYaml(data: unknown): Promise<unknown> {
  return parse(await yamlOf(data), { version: '1.1' });
}
