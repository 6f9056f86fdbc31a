import type { Command } from 'commander';
import {
  DeleteInventoryDocument,
  PutInventoryDocument,
  SetInventoriesDocument,
  ShowInventoriesDocument,
  ShowInventoryDocument,
  type InventoryFieldsFragment,
  type InventoryInput,
} from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import { readInventories, whole, type InventoryChange } from '../arguments/inventories.js';
import { known, providerBy, providerUuid } from '../arguments/providers.js';
import type { Client } from '../connection/client.js';
import { accepted, EXIT, Failure } from '../connection/failure.js';
import { untilNoConflict } from '../connection/retry.js';
import { fields, list, type Output } from '../output/output.js';
import { membersOf } from './aggregate.js';

interface SetOptions {
  readonly amend?: boolean;
  readonly aggregate?: boolean;
  readonly dryRun?: boolean;
}

/** An inventory as it is stored or, in a dry run, would be. */
type Shown = Omit<InventoryFieldsFragment, 'used' | 'capacity'> &
  Partial<Pick<InventoryFieldsFragment, 'used' | 'capacity'>>;

export const inventoryColumns = {
  class: (each: Shown) => each.resourceClass.name,
  total: (each: Shown) => each.total,
  reserved: (each: Shown) => each.reserved,
  'min unit': (each: Shown) => each.minUnit,
  'max unit': (each: Shown) => each.maxUnit,
  'step size': (each: Shown) => each.stepSize,
  ratio: (each: Shown) => each.allocationRatio,
  capacity: (each: Shown) => each.capacity,
  used: (each: Shown) => each.used,
};

export function addInventoryCommands(program: Command): void {
  const inventory = program.command('inventory').description('what providers offer of each resource class');
  addCommand(inventory, 'list <provider>', 'all that a provider offers').action(
    action(async (client: Client, _options: object, text: string) =>
      shown((await read(client, text)).inventories),
    ),
  );
  addCommand(inventory, 'show <provider> <class>', 'what a provider offers of one class').action(
    action(show),
  );
  addCommand(
    inventory,
    'set <provider> <amounts...>',
    'replace all inventories: VCPU=16 VCPU:reserved=2 ...; fields not named get their defaults',
  )
    .option('--amend', 'change the fields that are named, and nothing else')
    .option('--aggregate', 'of every provider that is directly in the aggregate named in place of a provider')
    .option('--dry-run', 'change nothing, tell what would be stored')
    .action(action(setAll));
  addCommand(
    inventory,
    'put <provider> <amounts...>',
    'create or replace the inventory of one class, and leave the others: VCPU=16 VCPU:max_unit=4 ...',
  ).action(action(putOne));
  addCommand(inventory, 'delete <provider> [class]', 'delete one inventory, or all').action(action(remove));
}

async function read(client: Client, text: string) {
  const { resourceProvider } = await client.run(ShowInventoriesDocument, { by: providerBy(text) });
  return known(resourceProvider, text);
}

async function show(client: Client, _options: object, text: string, resourceClass: string): Promise<Output> {
  const { resourceProvider } = await client.run(ShowInventoryDocument, {
    by: providerBy(text),
    resourceClass,
  });
  const { inventory } = known(resourceProvider, text);
  if (!inventory) throw Failure.notFound(`${text} has no inventory of ${resourceClass}`);
  const {
    resourceClass: { name },
    ...rest
  } = inventory;
  return { data: inventory, blocks: [fields({ resourceClass: name, ...rest })] };
}

function shown(inventories: readonly Shown[]): Output {
  return list(inventories, inventoryColumns, 'no inventories');
}

/** Of a provider, or of each member of an aggregate: then one that fails does not keep the others from being set. */
async function setAll(client: Client, options: SetOptions, text: string, amounts: string[]): Promise<Output> {
  const changes = readInventories(amounts);
  if (!options.aggregate) return shown(await setOf(client, options, text, changes));
  const members = await membersOf(client, text);
  if (members.length === 0) throw Failure.notFound(`no provider is in aggregate "${text}"`);
  const rows: (Shown & { resourceProvider: string })[] = [];
  const failures: string[] = [];
  for (const { uuid, name } of members) {
    try {
      const inventories = await setOf(client, options, uuid, changes);
      rows.push(...inventories.map((each) => ({ resourceProvider: name, ...each })));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(`${name}: ${error.message}`);
    }
  }
  if (failures.length > 0)
    throw new Failure(
      EXIT.refused,
      `${failures.length} of ${members.length} were not set: ${failures.join('; ')}`,
    );
  return list(rows, { provider: (each) => each.resourceProvider, ...inventoryColumns });
}

/** Reads and writes again while others change the provider: what is asked for does not depend on what they do. */
function setOf(
  client: Client,
  { amend = false, dryRun = false }: SetOptions,
  text: string,
  changes: readonly InventoryChange[],
): Promise<readonly Shown[]> {
  return untilNoConflict(async () => {
    const { uuid, generation, inventories: before } = await read(client, text);
    const inventories = amend ? amended(before, changes) : changes.map(whole);
    if (dryRun) return inventories.map(asStored);
    const input = { resourceProvider: uuid, generation, inventories };
    const { setInventories } = await client.run(SetInventoriesDocument, { input });
    return accepted(setInventories).resourceProvider.inventories;
  });
}

function amended(
  before: readonly InventoryFieldsFragment[],
  changes: readonly InventoryChange[],
): InventoryInput[] {
  const byClass = new Map<string, InventoryChange>(
    before.map((each) => [each.resourceClass.name, inputOf(each)]),
  );
  for (const change of changes)
    byClass.set(change.resourceClass, { ...byClass.get(change.resourceClass), ...change });
  return [...byClass.values()].map(whole);
}

function inputOf({ resourceClass, total, reserved, minUnit, maxUnit, stepSize, allocationRatio }: Shown) {
  return { resourceClass: resourceClass.name, total, reserved, minUnit, maxUnit, stepSize, allocationRatio };
}

const DEFAULTS = { reserved: 0, minUnit: 1, maxUnit: 2 ** 31 - 1, stepSize: 1, allocationRatio: 1 };

function asStored({ resourceClass, ...rest }: InventoryInput): Shown {
  return { resourceClass: { name: resourceClass }, ...DEFAULTS, ...rest };
}

async function putOne(client: Client, _options: object, text: string, amounts: string[]): Promise<Output> {
  const [change, ...others] = readInventories(amounts);
  if (others.length > 0)
    throw Failure.usage('all amounts must be of one class; `inventory set` takes several');
  const inventory = whole(change);
  return untilNoConflict(async () => {
    const { uuid, generation } = await read(client, text);
    const input = { resourceProvider: uuid, generation, inventory };
    const { setInventory } = await client.run(PutInventoryDocument, { input });
    return shown(accepted(setInventory).resourceProvider.inventories);
  });
}

async function remove(
  client: Client,
  _options: object,
  text: string,
  resourceClass?: string,
): Promise<Output> {
  const resourceProvider = await providerUuid(client, text);
  if (resourceClass === undefined) {
    const { setInventories } = await client.run(SetInventoriesDocument, {
      input: { resourceProvider, inventories: [] },
    });
    return shown(accepted(setInventories).resourceProvider.inventories);
  }
  const { deleteInventory } = await client.run(DeleteInventoryDocument, {
    input: { resourceProvider, resourceClass },
  });
  return shown(accepted(deleteInventory).resourceProvider.inventories);
}
