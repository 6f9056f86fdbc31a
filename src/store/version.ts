import { readFileSync } from 'node:fs';

interface Package {
  readonly version: string;
  readonly engines: { readonly node: string };
}

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const { version, engines } = JSON.parse(text) as Package;

export const VERSION = version;

/** The oldest supported version of Node. */
export const OLDEST_NODE = engines.node.replace(/^>=/, '');
