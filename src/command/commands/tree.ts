import * as api from '../../generated/client/operations.js';
import { known } from '../arguments.js';
import type { Client } from '../client.js';
import { command, type Command } from '../command.js';
import { allocationDifferences, inventoryDifferences, supplyDifferences } from '../differences.js';
import { readInput } from '../inputFile.js';
import { flag, required, text } from '../options.js';
import { isForPeople, list, textOf, type Output } from '../output.js';
import { byProvider } from './consumer.js';

const dryRunOption = flag('--dry-run', 'only print the differences');
const fileOption = (kind: string) =>
  required(text('-f, --file <file>', `YAML or JSON (schemas/${kind}.json); - is standard input`));

export const TREE_COMMANDS: readonly Command[] = [
  command(
    'tree apply',
    'make a tree equal to a file: its names, traits, aggregates, inventories and children',
    {
      file: fileOption('tree'),
      prune: flag('--prune', 'delete the providers of the tree that the file does not name'),
      dryRun: dryRunOption,
    },
    async (client, { file, prune, dryRun }) => {
      const { root, allocations } = await readInput<api.ApplyProviderTreeInput>('tree', file);
      const stored = await readTree(client, root);
      const input = { root: prune ? root : withOthers(root, stored), allocations };
      const write = (isDry: boolean) =>
        client.mutate(api.ApplyTreeDocument, { input: { ...input, dryRun: isDry } });
      const { changes } = await write(true);
      const rows = [
        ...changes.map((change) => changeOf(change, input.root, stored)),
        ...(await reallocations(client, allocations ?? [])),
      ];
      return apply(client, rows, dryRun, () => write(false));
    },
  ),
  command(
    'reshape',
    'replace inventories and allocations together, as a file states them',
    { file: fileOption('reshape'), dryRun: dryRunOption },
    async (client, { file, dryRun }) => {
      const input = await readInput<api.ReshapeInput>('reshape', file);
      const write = (isDry: boolean) =>
        client.mutate(api.ReshapeDocument, { input: { ...input, dryRun: isDry } });
      await write(true);
      const rows = [
        ...(await Promise.all(input.inventories.map((each) => inventoryRow(client, each)))),
        ...(await reallocations(client, input.allocations)),
      ];
      return apply(
        client,
        rows.filter(({ details }) => details !== ''),
        dryRun,
        () => write(false),
      );
    },
  ),
];

/** A change of a provider or a consumer. */
interface TreeRow {
  readonly change: string;
  readonly name: string;
  readonly details: string;
}

/** Shows the differences, and writes them unless `isDry`. */
async function apply(
  client: Client,
  rows: readonly TreeRow[],
  isDry: boolean | undefined,
  write: () => Promise<unknown>,
): Promise<Output> {
  const differences = list(rows, undefined, 'nothing differs');
  if (isDry || rows.length === 0) return differences;
  if (!isForPeople(client.format)) {
    await write();
    return differences;
  }
  process.stdout.write(`${await textOf(differences, client.format)}\n`);
  await write();
  return { data: rows, blocks: ['applied'] };
}

/** Reads the stored tree of a desired root, from its top. Returns [] if it is new. */
async function readTree(
  client: Client,
  { uuid, name }: api.DesiredProviderInput,
): Promise<api.StoredNodeFragment[]> {
  const by = uuid == null ? { name } : { uuid };
  const { resourceProvider } = await client.run(api.ShowStoredTreeDocument, { by });
  return resourceProvider ? [resourceProvider, ...resourceProvider.descendants] : [];
}

/** Adds stored providers that a file does not name to their parents' children, unchanged. */
function withOthers(
  root: api.DesiredProviderInput,
  stored: readonly api.StoredNodeFragment[],
): api.DesiredProviderInput {
  const named = new Set(nodesOf(root).map((node) => storedOf(node, stored)?.uuid));
  const complete = (node: api.DesiredProviderInput): api.DesiredProviderInput => {
    if (node.children == null) return node;
    const uuid = storedOf(node, stored)?.uuid;
    const others = stored.filter(
      (each) => each.parent !== null && each.parent.uuid === uuid && !named.has(each.uuid),
    );
    return {
      ...node,
      children: [...node.children.map(complete), ...others.map(({ uuid, name }) => ({ uuid, name }))],
    };
  };
  return complete(root);
}

function nodesOf(node: api.DesiredProviderInput): api.DesiredProviderInput[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

function storedOf(
  { uuid, name }: api.DesiredProviderInput,
  stored: readonly api.StoredNodeFragment[],
): api.StoredNodeFragment | undefined {
  return stored.find((each) => (uuid == null ? each.name === name : sameUuid(each.uuid, uuid)));
}

/** Compares uuids. The given one may lack dashes and be in upper case. */
function sameUuid(stored: string, given: string): boolean {
  return stored.replaceAll('-', '') === given.replaceAll('-', '').toLowerCase();
}

function changeOf(
  { kind, name }: api.ApplyTreeChangeFragment,
  root: api.DesiredProviderInput,
  stored: readonly api.StoredNodeFragment[],
): TreeRow {
  const change = kind.toLowerCase();
  const desired = nodesOf(root).find((node) => node.name === name);
  if (kind === 'DELETE' || !desired) return { change, name, details: '' };
  const before = storedOf(desired, stored);
  const parent = nodesOf(root).find(({ children }) => children?.includes(desired));
  const parentBefore = stored.find(({ uuid }) => uuid === before?.parent?.uuid);
  const details = [
    ...(before && before.name !== name ? [`renamed from ${before.name}`] : []),
    ...(kind === 'UPDATE' && !before ? ['moved from another tree'] : []),
    ...(parent && (!before || storedOf(parent, stored)?.uuid !== parentBefore?.uuid)
      ? [`below ${parent.name}`]
      : []),
    ...supplyDifferences(before, desired),
  ];
  return { change, name, details: details.join(', ') };
}

/** Describes how the allocations of consumers change. */
function reallocations(client: Client, all: readonly api.ConsumerAllocationsInput[]): Promise<TreeRow[]> {
  const rows = all.map(async ({ consumer, allocations }): Promise<TreeRow[]> => {
    if (allocations.providers == null)
      return [{ change: 'reallocate', name: consumer, details: 'by a token' }];
    const { consumer: stored } = await client.run(api.ShowConsumerDocument, { uuid: consumer });
    const before = stored ? byProvider(stored) : [];
    const after = allocations.providers.map(({ resourceProvider: { uuid, name }, resources }) => ({
      name: name ?? before.find((each) => sameUuid(each.uuid, uuid))?.name ?? uuid,
      resources,
    }));
    const details = allocationDifferences(before, after).join('; ');
    return details === '' ? [] : [{ change: 'reallocate', name: consumer, details }];
  });
  return Promise.all(rows).then((each) => each.flat());
}

async function inventoryRow(
  client: Client,
  { resourceProvider: by, inventories }: api.ProviderInventoriesInput,
): Promise<TreeRow> {
  const { resourceProvider } = await client.run(api.ShowInventoriesDocument, { by });
  const found = known(resourceProvider, 'resource provider', by.name ?? by.uuid);
  const details = inventoryDifferences(found.inventories, inventories).join(', ');
  return { change: 'update', name: found.name, details };
}
