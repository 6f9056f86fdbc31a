import { CounterProviders, type Consumption, type DeviceHost } from './kubernetesCounters.js';
import { listAt, objectAt, textAt, type Item } from './kubernetesItems.js';
import { isJson, type Mapping } from './kubernetesMapping.js';
import { distinctNames, namesOfDevice } from './kubernetesNames.js';
import { customName, invalid } from './source.js';

export interface Device<Host> {
  readonly name: string;
  readonly resourceClass: string;
  readonly node: Host;
}

/**
 * Adds the devices of the newest generation of each pool, and the counters that they share. Returns the devices by
 * driver, pool and name.
 * @param hosts the names of all hosts, which no device may have
 */
export function addDevices<Host extends DeviceHost>(
  slices: readonly Item[],
  mapping: Mapping,
  notes: string[],
  hosts: Iterable<string>,
  hostOf: (slice: Item, nodeName: string) => Host,
): Map<string, Device<Host>> {
  const devices = new Map<string, Device<Host>>();
  const current = newestOf(slices);
  const counters = new CounterProviders(current.map((slice) => [poolOf(slice), slice]));
  const taken = new Set(hosts);
  const names = distinctNames(
    new Map(
      current.flatMap((slice) =>
        listAt(slice, 'spec', 'devices').map((item) => {
          const name = textAt(item, 'name');
          const parts = { host: nodeOf(slice), pool: poolOf(slice), name };
          return [keyOf(slice, item), namesOfDevice(parts)];
        }),
      ),
    ),
    taken,
  );
  for (const slice of current) {
    const nodeName = nodeOf(slice);
    const items = listAt(slice, 'spec', 'devices');
    if (nodeName === '') {
      if (items.length > 0) notes.push(`the slice ${slice.path} belongs to no single node and is omitted`);
      continue;
    }
    const node = hostOf(slice, nodeName);
    for (const item of items) {
      const key = keyOf(slice, item);
      if (devices.has(key)) throw invalid(item.file, item.path, `the device ${key} is there twice`);
      // version v1beta1 has the fields of a device in `basic`
      const basic = isJson(item.object.basic)
        ? { ...item, object: item.object.basic, path: `${item.path}.basic` }
        : item;
      if (basic.object.allowMultipleAllocations === true) {
        notes.push(`the device ${key} can be in several claims at a time and is omitted`);
        continue;
      }
      const { traits, numa, kind } = attributesOf(basic, mapping);
      const consumes = counters.consumptionOf(poolOf(slice), basic);
      const resourceClass = classOf(textAt(slice, 'spec', 'driver'), kind, consumes);
      const name = names.get(key)!;
      taken.add(name);
      const device = {
        name,
        inventories: { [resourceClass]: { total: 1 } },
        ...(traits.length > 0 && { traits }),
      };
      if (consumes.length === 0) node.addDevice(device, numa);
      else counters.add(node, device, resourceClass, numa, consumes);
      devices.set(key, { name, resourceClass, node });
    }
  }
  counters.attach(taken);
  return devices;
}

/** Returns the single node of a slice; an empty text if it has none. */
function nodeOf(slice: Item): string {
  const { nodeName } = objectAt(slice, 'spec');
  return typeof nodeName === 'string' ? nodeName : '';
}

const poolOf = (slice: Item): string =>
  `${textAt(slice, 'spec', 'driver')}/${textAt(slice, 'spec', 'pool', 'name')}`;

const keyOf = (slice: Item, device: Item): string => `${poolOf(slice)}/${textAt(device, 'name')}`;

/** Returns the slices of the newest generation of each pool. */
function newestOf(slices: readonly Item[]): Item[] {
  const newest = new Map<string, number>();
  const generationOf = (slice: Item): number => Number(objectAt(slice, 'spec', 'pool').generation ?? 0);
  for (const slice of slices)
    newest.set(poolOf(slice), Math.max(newest.get(poolOf(slice)) ?? 0, generationOf(slice)));
  return slices.filter((each) => generationOf(each) === newest.get(poolOf(each)));
}

/** Returns the class of a device: of its driver, or of the profile of a partition, such as CUSTOM_MIG_1G_10GB. */
function classOf(
  driver: string,
  { type, profile }: { readonly type?: string; readonly profile?: string },
  consumes: readonly Consumption[],
): string {
  if (consumes.length === 0 || profile === undefined) return customName(driver);
  return customName(type ?? driver, profile);
}

/** Reads the attributes of a device: each is an object with one of the fields int, string, bool and version. */
function attributesOf(
  item: Item,
  mapping: Mapping,
): {
  readonly traits: string[];
  readonly numa: string | null;
  readonly kind: { readonly type?: string; readonly profile?: string };
} {
  const traits: string[] = [];
  let numa: string | null = null;
  const kind: { type?: string; profile?: string } = {};
  for (const [qualified, value] of Object.entries(objectAt(item, 'attributes'))) {
    const name = qualified.replace(/^.*\//, '');
    if (!isJson(value))
      throw invalid(item.file, `${item.path}.attributes.${qualified}`, 'it must be an object');
    if (/^numa(Node)?$/i.test(name) && Number.isInteger(value.int) && (value.int as number) >= 0)
      numa = String(value.int);
    const text = value.string ?? value.version;
    if ((name === 'type' || name === 'profile') && typeof text === 'string' && text !== '') kind[name] = text;
    const isTrait = mapping.attributes.has(name) || mapping.attributes.has(qualified);
    if (isTrait && typeof text === 'string') traits.push(customName(text));
  }
  return { traits: [...new Set(traits)], numa, kind };
}
