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
import {
  completeInventory,
  providerUuid,
  readInventories,
  readProvider,
  type InventoryChange,
} from '../arguments.js';
import type { Client } from '../client.js';
import { addCommand } from '../command.js';
import { EXIT, Failure, untilNoConflict } from '../failure.js';
import { fields, list, type Output } from '../output.js';
import { membersOf } from './catalog.js';

interface SetOptions {
  readonly amend?: boolean;
  readonly aggregate?: boolean;
  readonly dryRun?: boolean;
}

/** An inventory as it is stored or, in a dry run, would be. */
type Shown = Omit<InventoryFieldsFragment, 'used' | 'capacity'> & Partial<InventoryFieldsFragment>;

export const INVENTORY = {
  class: 'resourceClass.name',
  total: 'total',
  reserved: 'reserved',
  'min unit': 'minUnit',
  'max unit': 'maxUnit',
  'step size': 'stepSize',
  ratio: 'allocationRatio',
  capacity: 'capacity',
  used: 'used',
};

export function addInventoryCommands(program: Command): void {
  const inventory = program.command('inventory').description('inventories of providers by resource class');
  addCommand(
    inventory,
    'list <provider>',
    'list the inventories of a provider',
    [],
    async (client, _options, text: string) =>
      shown((await readProvider(client, ShowInventoriesDocument, text)).inventories),
  );
  addCommand(
    inventory,
    'show <provider> <class>',
    'show one inventory of a provider',
    [],
    async (client, _options, text: string, resourceClass: string) => {
      const provider = await readProvider(client, ShowInventoryDocument, text, { resourceClass });
      if (!provider.inventory) throw Failure.notFound(`${text} has no inventory of ${resourceClass}`);
      const { resourceClass: found, ...rest } = provider.inventory;
      return { data: provider.inventory, blocks: [fields({ resourceClass: found.name, ...rest })] };
    },
  );
  addCommand(
    inventory,
    'set <provider> <amounts...>',
    'replace all inventories: VCPU=16 VCPU:reserved=2 ...; other fields get their defaults',
    [
      ['--amend', 'change only the named fields'],
      ['--aggregate', 'of every provider directly in the aggregate that is named in place of a provider'],
      ['--dry-run', 'only print what would be stored'],
    ],
    setAll,
  );
  addCommand(
    inventory,
    'put <provider> <amounts...>',
    'create or replace the inventory of one class: VCPU=16 VCPU:max_unit=4 ...',
    [],
    (client, _options, text: string, amounts: string[]) => {
      const [change, ...others] = readInventories(amounts);
      if (others.length > 0)
        throw Failure.usage('all amounts must be of one class; `inventory set` takes several');
      return untilNoConflict(async () => {
        const { uuid, generation } = await readProvider(client, ShowInventoriesDocument, text);
        const input = { resourceProvider: uuid, generation, inventory: completeInventory(change) };
        return shown((await client.mutate(PutInventoryDocument, { input })).resourceProvider.inventories);
      });
    },
  );
  addCommand(
    inventory,
    'delete <provider> [class]',
    'delete one inventory, or all',
    [],
    async (client, _options, text: string, resourceClass?: string) => {
      const resourceProvider = await providerUuid(client, text);
      const after =
        resourceClass === undefined
          ? await client.mutate(SetInventoriesDocument, { input: { resourceProvider, inventories: [] } })
          : await client.mutate(DeleteInventoryDocument, { input: { resourceProvider, resourceClass } });
      return shown(after.resourceProvider.inventories);
    },
  );
}

function shown(inventories: readonly Shown[]): Output {
  return list(inventories, INVENTORY, 'no inventories');
}

/** Sets inventories of a provider, or of every member of an aggregate, whichever of them fail. */
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
  if (failures.length === 0) return list(rows, { provider: 'resourceProvider', ...INVENTORY });
  const count = `${failures.length} of ${members.length}`;
  throw new Failure(EXIT.refused, `${count} were not set: ${failures.join('; ')}`);
}

function setOf(
  client: Client,
  { amend = false, dryRun = false }: SetOptions,
  text: string,
  changes: readonly InventoryChange[],
): Promise<readonly Shown[]> {
  return untilNoConflict(async () => {
    const {
      uuid,
      generation,
      inventories: before,
    } = await readProvider(client, ShowInventoriesDocument, text);
    const inventories = (amend ? amended(before, changes) : changes).map(completeInventory);
    if (dryRun) return inventories.map(asStored);
    const input = { resourceProvider: uuid, generation, inventories };
    return (await client.mutate(SetInventoriesDocument, { input })).resourceProvider.inventories;
  });
}

function amended(before: readonly Shown[], changes: readonly InventoryChange[]): InventoryChange[] {
  const byClass = new Map<string, InventoryChange>();
  for (const { resourceClass, total, reserved, minUnit, maxUnit, stepSize, allocationRatio } of before) {
    const { name } = resourceClass;
    byClass.set(name, { resourceClass: name, total, reserved, minUnit, maxUnit, stepSize, allocationRatio });
  }
  for (const change of changes)
    byClass.set(change.resourceClass, { ...byClass.get(change.resourceClass), ...change });
  return [...byClass.values()];
}

const DEFAULTS = { reserved: 0, minUnit: 1, maxUnit: 2 ** 31 - 1, stepSize: 1, allocationRatio: 1 };

function asStored({ resourceClass, ...rest }: InventoryInput): Shown {
  return { resourceClass: { name: resourceClass }, ...DEFAULTS, ...rest };
}
