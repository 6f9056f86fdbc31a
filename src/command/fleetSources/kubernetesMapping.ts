import { parse as parseYaml } from 'yaml';
import { readQuantity, whole, type Quantity } from './quantity.js';
import { customName, invalid, shown, type SourceText } from './source.js';

export type Json = { readonly [key: string]: unknown };

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The resource class of a resource, and the amount of the resource that is 1 of the class. */
interface Unit {
  readonly resourceClass: string;
  readonly unit: Quantity;
}

/** What resources, labels and attributes of Kubernetes become. */
export interface Mapping {
  readonly resources: ReadonlyMap<string, Unit | null>;
  /** What a label becomes. A label that is not listed is ignored. */
  readonly labels: ReadonlyMap<string, 'trait' | 'aggregate'>;
  readonly attributes: ReadonlyMap<string, 'trait'>;
}

const MEGABYTE = whole(2n ** 20n);
export const DEFAULT_MAPPING: Mapping = {
  resources: new Map<string, Unit>([
    ['cpu', { resourceClass: 'CUSTOM_MILLICPU', unit: { numerator: 1n, denominator: 1000n } }],
    ['memory', { resourceClass: 'MEMORY_MB', unit: MEGABYTE }],
    ['ephemeral-storage', { resourceClass: 'DISK_GB', unit: whole(2n ** 30n) }],
    ['pods', { resourceClass: 'CUSTOM_PODS', unit: whole(1n) }],
  ]),
  labels: new Map([
    ['topology.kubernetes.io/zone', 'aggregate'],
    ['failure-domain.beta.kubernetes.io/zone', 'aggregate'], // its name before Kubernetes 1.17
  ]),
  attributes: new Map([
    ['productName', 'trait'],
    ['model', 'trait'],
    ['type', 'trait'],
  ]),
};

/** Returns the unit of a resource. Null: the mapping omits it. */
export function unitOf(resource: string, { resources }: Mapping): Unit | null {
  const known = resources.get(resource);
  if (known !== undefined) return known;
  const [, pageSize] = /^hugepages-(.+)$/.exec(resource) ?? [];
  const size = pageSize === undefined ? null : readQuantity(pageSize);
  const isPage = size !== null && size.numerator > 0n;
  return { resourceClass: customName(resource), unit: isPage ? size : whole(1n) };
}

/** Reads a mapping file. It adds to the defaults. */
export function readMapping({ name: file, text }: SourceText): Mapping {
  let top: unknown;
  try {
    top = parseYaml(text);
  } catch (error) {
    throw invalid(file, '', (error as Error).message.split('\n')[0]);
  }
  if (!isJson(top)) throw invalid(file, '', 'it must have the fields resources, labels, attributes');
  const partOf = (key: string): Json => {
    const part = top[key] ?? {};
    if (isJson(part)) return part;
    throw invalid(file, key, 'it must be an object');
  };
  const unknown = Object.keys(top).find((key) => !['resources', 'labels', 'attributes'].includes(key));
  if (unknown !== undefined) throw invalid(file, unknown, 'the fields are resources, labels, attributes');
  const choices = <Value extends string>(key: string, values: readonly Value[]) =>
    Object.entries(partOf(key)).map(([name, value]) => {
      if (values.includes(value as Value)) return [name, value as Value] as const;
      throw invalid(file, `${key}.${name}`, `it is ${shown(value)}: it must be ${values.join(' or ')}`);
    });
  const resources = Object.entries(partOf('resources')).map(([name, value]): [string, Unit | null] => {
    if (value === null) return [name, null];
    const { class: resourceClass, unit = '1' } =
      typeof value === 'string' ? { class: value } : isJson(value) ? value : {};
    const quantity = readQuantity(String(unit));
    if (
      typeof resourceClass !== 'string' ||
      !/^[A-Z0-9_]{1,255}$/.test(resourceClass) ||
      !quantity ||
      quantity.numerator <= 0n
    )
      throw invalid(
        file,
        `resources.${name}`,
        'it must be a resource class, { class, unit }, or null to omit it',
      );
    return [name, { resourceClass, unit: quantity }];
  });
  return {
    resources: new Map([...DEFAULT_MAPPING.resources, ...resources]),
    labels: new Map([...DEFAULT_MAPPING.labels, ...choices('labels', ['trait', 'aggregate'] as const)]),
    attributes: new Map([...DEFAULT_MAPPING.attributes, ...choices('attributes', ['trait'] as const)]),
  };
}
