import * as api from '../../generated/client/operations.js';
import { known } from '../arguments.js';
import type { Client } from '../client.js';
import { command, type Command } from '../command.js';
import { checkDistinct, nodesOf } from '../desiredTrees.js';
import {
  allocationDifferences,
  inventoryDifferences,
  statedParts,
  supplyDifferences,
} from '../differences.js';
import { Failure } from '../failure.js';
import { readInput, readInputs, type FileInput } from '../inputFile.js';
import { flag, required, text, texts } from '../options.js';
import { isForPeople, list, textOf, type Output } from '../output.js';
import { byProvider } from '../consumerParts.js';

const dryRunOption = flag('--dry-run', 'only print the differences');

export const TREE_COMMANDS: readonly Command[] = [
  command(
    'tree apply',
    'make trees equal to files: their names, traits, aggregates, inventories and children',
    {
      files: required(
        texts(
          '-f, --file <file>',
          'YAML or JSON (schemas/tree.json) with one or more documents, or a folder; - is standard input; repeatable',
        ),
      ),
      prune: flag('--prune', 'delete the providers of the tree that the file does not name'),
      dryRun: dryRunOption,
    },
    async (client, { files, prune, dryRun }) => {
      const inputs = await readInputs<api.ApplyProviderTreeInput>('tree', files);
      checkDistinct(inputs, ({ allocations }) =>
        (allocations ?? []).map(({ consumer }) => `consumer ${consumer}`),
      );
      const trees: PlannedTree[] = [];
      for (const given of inputs)
        trees.push(await about(given, inputs, () => planTree(client, given.input, prune ?? false)));
      return apply(
        client,
        trees.flatMap(({ rows }) => rows),
        dryRun,
        async () => {
          for (const [at, { write }] of trees.entries()) await about(inputs[at], inputs, write, at);
        },
      );
    },
  ),
  command(
    'reshape',
    'replace inventories and allocations together, as a file states them',
    {
      file: required(text('-f, --file <file>', 'YAML or JSON (schemas/reshape.json); - is standard input')),
      dryRun: dryRunOption,
    },
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

/** The differences of a tree, and the function that writes them. */
interface PlannedTree {
  readonly rows: readonly TreeRow[];
  readonly write: () => Promise<unknown>;
}

/** Compares a tree with the stored one. The server checks it, as if nothing else were written. */
async function planTree(
  client: Client,
  { root: given, allocations }: api.ApplyProviderTreeInput,
  prune: boolean,
): Promise<PlannedTree> {
  const stored = await readTree(client, given);
  const root = prune ? given : withOthers(given, stored);
  const write = (dryRun: boolean) =>
    client.mutate(api.ApplyTreeDocument, { input: { root, allocations, dryRun } });
  const { changes } = await write(true);
  const rows = [
    ...changes.map((change) => changeOf(change, root, stored)),
    ...(await reallocations(client, allocations ?? [])),
  ];
  return { rows, write: () => write(false) };
}

/** Names the document of a failure if there are several, and how many of them are written. */
async function about<Value>(
  { source }: FileInput<unknown>,
  all: readonly unknown[],
  work: () => Promise<Value>,
  written = 0,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || all.length === 1) throw error;
    const before = written === 0 ? '' : `; the first ${written} of ${all.length} documents are applied`;
    throw error.withMessage(`${source}: ${error.message}${before}`);
  }
}

/** Shows the differences, and writes them unless `isDry`. */
async function apply(
  client: Client,
  rows: readonly TreeRow[],
  isDry: boolean | undefined,
  write: () => Promise<unknown>,
): Promise<Output> {
  const changed = rows.flatMap(({ change, name }) => (change === 'reallocate' ? [] : name));
  const differences = { ...list(rows, undefined, 'nothing differs'), names: [...new Set(changed)] };
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

function storedOf(
  { uuid, name }: api.DesiredProviderInput,
  stored: readonly api.StoredNodeFragment[],
): api.StoredNodeFragment | undefined {
  return stored.find((each) => (uuid == null ? each.name === name : each.uuid === uuid));
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
    const after = statedParts(allocations.providers, before);
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
