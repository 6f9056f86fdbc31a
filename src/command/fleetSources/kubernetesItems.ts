import { isJson, type Json } from './kubernetesMapping.js';
import { readQuantity, type Quantity } from './quantity.js';
import { invalid, shown, type SourceText } from './source.js';

/** An object of a file, and its path in it. */
export interface Item {
  readonly object: Json;
  readonly kind: string;
  readonly file: string;
  readonly path: string;
}

/** Reads the objects of a file of JSON: one, or a list. */
export function itemsOf({ name: file, text }: SourceText): Item[] {
  try {
    return itemsIn(file, JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid(file, '', `it is no JSON: ${error.message}`);
  }
}

/** Reads the objects of a file of YAML or JSON with one or more documents. */
export async function itemsOfDocuments({ name: file, text }: SourceText): Promise<Item[]> {
  const { parseAllDocuments } = await import('yaml');
  const documents = [...parseAllDocuments(text)].filter(({ contents }) => contents !== null);
  return documents.flatMap((document) => {
    const [wrong] = document.errors;
    if (wrong !== undefined) throw invalid(file, '', wrong.message.split('\n')[0]);
    let value: unknown;
    try {
      value = document.toJS();
    } catch (error) {
      throw invalid(file, '', (error as Error).message);
    }
    return itemsIn(file, value);
  });
}

/** Returns the object, or the items of a list. */
function itemsIn(file: string, top: unknown): Item[] {
  const item = (value: unknown, path: string, kind?: string): Item => {
    if (!isJson(value)) throw invalid(file, path, 'it is no object of Kubernetes');
    return { object: value, kind: typeof value.kind === 'string' ? value.kind : (kind ?? ''), file, path };
  };
  const root = item(top, '');
  if (!root.kind.endsWith('List')) {
    if (root.kind === '') throw invalid(file, '', 'it is no object of Kubernetes: it has no kind');
    return [root];
  }
  if (!Array.isArray(root.object.items)) throw invalid(file, 'items', 'it must be a list');
  return root.object.items.map((each, at) => item(each, `items[${at}]`, root.kind.slice(0, -4)));
}

/** Returns the object at a path; an empty one if it is missing. */
export function objectAt({ object, file, path }: Item, ...keys: readonly string[]): Json {
  let value: unknown = object;
  for (const key of keys) value = (isJson(value) && Object.hasOwn(value, key) ? value[key] : undefined) ?? {};
  if (isJson(value)) return value;
  throw invalid(file, [path, ...keys].filter(Boolean).join('.'), 'it must be an object');
}

export function listAt(item: Item, ...keys: readonly string[]): Item[] {
  const last = keys.at(-1)!;
  const value = objectAt(item, ...keys.slice(0, -1))[last] ?? [];
  const path = [item.path, ...keys].filter(Boolean).join('.');
  if (!Array.isArray(value)) throw invalid(item.file, path, 'it must be a list');
  return value.map((each: unknown, at): Item => {
    if (!isJson(each)) throw invalid(item.file, `${path}[${at}]`, 'it must be an object');
    return { ...item, object: each, path: `${path}[${at}]` };
  });
}

export function textAt(item: Item, ...keys: readonly string[]): string {
  const value = objectAt(item, ...keys.slice(0, -1))[keys.at(-1)!];
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(
    item.file,
    [item.path, ...keys].filter(Boolean).join('.'),
    `it is ${shown(value)}: it must be a text`,
  );
}

/** Reads the quantities of an object by resource. */
export function quantitiesAt(item: Item, ...keys: readonly string[]): Map<string, Quantity> {
  return new Map(
    Object.entries(objectAt(item, ...keys)).map(([resource, value]) => {
      const quantity = readQuantity(
        typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '',
      );
      if (quantity !== null && quantity.numerator >= 0n) return [resource, quantity];
      const path = [item.path, ...keys, resource].filter(Boolean).join('.');
      throw invalid(
        item.file,
        path,
        `${shown(value)} is no quantity of Kubernetes from 0, such as 1500m or 1.5Gi`,
      );
    }),
  );
}
