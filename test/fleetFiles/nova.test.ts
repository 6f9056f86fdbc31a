import { expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { failureOf, picture, read } from '../fleets/support.js';
import { texts } from './publicFiles.js';

// openstack/nova at 00a030403 (32.0 and later)
const DATA = 'nova/nova/tests/unit/compute/provider_config_data';
const ADMIN = 'nova/doc/source/admin';

type Sample = Readonly<Record<string, { readonly config?: object; readonly sample?: object }>>;

/** Reads the samples of a file of Nova's tests: each is a provider.yaml. */
function samplesOf(path: string): [name: string, text: string][] {
  const [text] = Object.values(texts(`${DATA}/${path}`));
  return Object.entries(parse(text) as Sample).map(([name, { config, sample }]) => [
    name,
    stringify(config ?? { meta: { schema_version: '1.0' }, ...sample }),
  ]);
}

/** Returns the code blocks of a document that have a text. */
function blocksOf(path: string, text: string): string[] {
  const [document] = Object.values(texts(`${ADMIN}/${path}`));
  return [...document.matchAll(/code-block:: \w+\n\n((?:(?: +.*)?\n)+)/g)]
    .map(([, block]) => block.replaceAll(new RegExp(`^ {${/^ +/.exec(block)![0].length}}`, 'gm'), ''))
    .filter((block) => block.includes(text));
}

const trees = async (text: string): Promise<string> =>
  (await read('nova', { 'provider.yaml': text }, { host: 'cn1' })).map(picture).join('; ');

test('nova: example_provider.yaml names the compute node in place of a name', async () => {
  const [text] = Object.values(texts(`${DATA}/v1/example_provider.yaml`));
  expect(await trees(text)).toBe(
    'cn1 CUSTOM_EXAMPLE_RESOURCE_CLASS=100 minUnit 1 maxUnit 10 stepSize 1 allocationRatio 1 CUSTOM_TRAIT_ONE CUSTOM_TRAIT2',
  );
});

test('nova: the example of managing-resource-providers', async () => {
  const [example] = blocksOf('managing-resource-providers.rst', 'EXAMPLE_RESOURCE_PROVIDER');
  expect(await trees(example)).toBe(
    'EXAMPLE_RESOURCE_PROVIDER CUSTOM_EXAMPLE_RESOURCE_CLASS=100 minUnit 1 maxUnit 10 stepSize 1 allocationRatio 1 CUSTOM_EXAMPLE_TRAIT',
  );
});

const UUID = /Nova finds ".*" in its database; name the provider instead$/;

test.each([
  [
    'v1/validation_success_test_data.yaml',
    {
      provider_magic_uuid: 'cn1',
      provider_by_name: 'custom_provider',
    },
  ],
  [
    'validate_provider_good_config.yaml',
    {
      no_trait_or_inventory_keys: 'name',
      additional_traits_empty_list: 'name',
      one_valid_additional_inventory: 'name CUSTOM_RESOURCE_CLASS=1',
    },
  ],
])('nova: %s: providers with names are read, and uuids need the database of Nova', async (path, expected) => {
  const read: Record<string, string> = {};
  for (const [name, text] of samplesOf(path))
    if (/^ *(- )?uuid: (?!.*COMPUTE_NODE)/m.test(text))
      expect(await failureOf('nova', { 'provider.yaml': text }, { host: 'cn1' })).toMatch(UUID);
    else read[name] = await trees(text);
  expect(read).toEqual(expected);
});

test.each(['v1/validation_error_test_data.yaml', 'validate_provider_bad_config.yaml'])(
  'nova: each sample of %s is rejected',
  async (path) => {
    const accepted: string[] = [];
    for (const [name, text] of samplesOf(path))
      if (!/^Failure: /.test(await failureOf('nova', { 'provider.yaml': text }, { host: 'cn1' })))
        accepted.push(name);
    expect(accepted).toEqual([]);
  },
);

const device = (address: string, ids: string, physical?: string): string => {
  const [domain, bus, slot, index] = address.split(/[:.]/).map((part) => parseInt(part, 16));
  const [vendor, product] = ids.split(':');
  const [pfDomain, pfBus, pfSlot, pfIndex] = (physical ?? '').split(/[:.]/);
  const above =
    physical === undefined
      ? ''
      : `<capability type='phys_function'><address domain='0x${pfDomain}' bus='0x${pfBus}' slot='0x${pfSlot}' function='0x${pfIndex}'/></capability>`;
  return `<device><capability type='pci'><class>0x020000</class><domain>${domain}</domain><bus>${bus}</bus><slot>${slot}</slot><function>${index}</function><product id='0x${product}'/><vendor id='0x${vendor}'/>${above}</capability></device>`;
};

test('nova: the examples of pci-passthrough', async () => {
  const [byAddress, byProduct, byFunction, forNeutron, oneTime] = blocksOf(
    'pci-passthrough.rst',
    'device_spec = ',
  );
  const devices = [
    device('0000:41:00.0', '8086:154d'),
    device('0000:42:00.0', '8086:154d'),
    device('0000:06:10.1', '8086:10ca', '0000:06:00.0'),
    device('0000:01:00.0', '15b3:1017'),
  ].join('');
  const of = async (conf: string, found = devices): Promise<string> => {
    const [tree] = await read('nova', { 'nova.conf': conf, 'devices.xml': found }, { host: 'cn1' });
    return picture(tree);
  };
  const provider = (address: string, resourceClass: string): string =>
    `  cn1_${address} ${resourceClass}=1 COMPUTE_MANAGED_PCI_DEVICE OWNER_NOVA`;
  expect(await of(byAddress)).toBe(['cn1', provider('0000:41:00.0', 'CUSTOM_PCI_8086_154D')].join('\n'));
  expect(await of(byProduct)).toBe(
    [
      'cn1',
      provider('0000:41:00.0', 'CUSTOM_PCI_8086_154D'),
      provider('0000:42:00.0', 'CUSTOM_PCI_8086_154D'),
    ].join('\n'),
  );
  // devices of Neutron are not in Placement; the address ends in a blank part
  expect(await of(forNeutron)).toBe('cn1');
  expect(await of(`[pci]\n${oneTime}`, device('0000:00:01.0', '8086:1572'))).toBe(
    ['cn1', provider('0000:00:01.0', 'CUSTOM_PCI_8086_1572')].join('\n'),
  );
  // the document has two classes below one device, which nova-compute refuses
  const functions = ['4', '5'].map((index) => device(`0000:25:00.${index}`, '10de:25b6', '0000:25:00.0'));
  await expect(of(byFunction, functions.join(''))).rejects.toThrow(
    'nova.conf: the virtual functions of cn1_0000:25:00.0 have different classes or traits',
  );
});
