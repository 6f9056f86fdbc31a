import * as api from '../../generated/client/operations.js';
import {
  completeInventory,
  readInventories,
  readProvider,
  updateProvider,
  type InventoryChange,
} from '../arguments.js';
import type { Client } from '../client.js';
import { command, plainCommand, type Command } from '../command.js';
import { withInventoryDefaults } from '../differences.js';
import { EXIT, Failure, untilNoConflict } from '../failure.js';
import { flag } from '../options.js';
import { list, object, type Output } from '../output.js';
import { membersOf } from './catalog.js';

/** A stored inventory or, in a dry run, a future one, which has no usage and capacity. */
type Shown = Omit<api.InventoryFieldsFragment, 'used' | 'capacity' | 'consumes'> &
  Partial<api.InventoryFieldsFragment>;

const COLUMNS = {
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

export const INVENTORY_COMMANDS: readonly Command[] = [
  plainCommand(
    'inventory list <provider>',
    'list the inventories of a provider',
    async (client, name: string) =>
      listInventories((await readProvider(client, api.ShowInventoriesDocument, name)).inventories),
  ),
  plainCommand(
    'inventory show <provider> <class>',
    'show one inventory of a provider',
    async (client, name: string, resourceClass: string) => {
      const { inventory } = await readProvider(client, api.ShowInventoryDocument, name, { resourceClass });
      const unknown = { kind: 'resource class', name: resourceClass } as const;
      if (!inventory) throw Failure.notFound(`${name} has no inventory of ${resourceClass}`, unknown);
      return object(inventory, { ...inventory, resourceClass: inventory.resourceClass.name });
    },
  ),
  command(
    'inventory set <provider> <amounts...>',
    'replace all inventories: VCPU=16 VCPU:reserved=2 ...; other fields get their defaults',
    {
      amend: flag('--amend', 'change only the named fields'),
      ofAggregate: flag(
        '--aggregate',
        'of every provider directly in the aggregate that is named in place of a provider',
      ),
      dryRun: flag('--dry-run', 'only print what would be stored'),
    },
    async (client, { amend, ofAggregate, dryRun }, name: string, amounts: string[]) => {
      const set = setter(client, readInventories(amounts), amend, dryRun);
      return ofAggregate ? setInAggregate(client, name, set) : listInventories(await set(name));
    },
  ),
  plainCommand(
    'inventory put <provider> <amounts...>',
    'create or replace the inventory of one class: VCPU=16 VCPU:max_unit=4 ...',
    async (client, name: string, amounts: string[]) => {
      const [change, ...others] = readInventories(amounts);
      if (others.length > 0)
        throw Failure.usage('all amounts must be of one class; `inventory set` takes several');
      const inventories = { add: [completeInventory(change)] };
      return listInventories((await updateProvider(client, name, { inventories })).inventories);
    },
  ),
  plainCommand(
    'inventory delete <provider> [class]',
    'delete one inventory, or all',
    async (client, name: string, resourceClass?: string) => {
      const inventories = resourceClass === undefined ? { set: [] } : { remove: [resourceClass] };
      return listInventories((await updateProvider(client, name, { inventories })).inventories);
    },
  ),
];

export function listInventories(inventories: readonly Shown[]): Output {
  return list(inventories, COLUMNS, 'no inventories');
}

type Set = (provider: string) => Promise<readonly Shown[]>;

/** The exit codes of failures that concern one provider. Other failures concern all of them. */
const REJECTED: ReadonlySet<number> = new Set([EXIT.usage, EXIT.conflict, EXIT.refused, EXIT.notFound]);

/** Sets the inventories of every member of an aggregate. Continues after a rejected member. */
async function setInAggregate(client: Client, aggregate: string, set: Set): Promise<Output> {
  const members = await client.all(membersOf(aggregate));
  if (members.length === 0) throw Failure.notFound(`no provider is in aggregate "${aggregate}"`);
  const rows: (Shown & { resourceProvider: string })[] = [];
  const failures: string[] = [];
  for (const { uuid, name } of members) {
    try {
      rows.push(...(await set(uuid)).map((each) => ({ resourceProvider: name, ...each })));
    } catch (error) {
      if (!(error instanceof Failure) || !REJECTED.has(error.exit)) throw error;
      failures.push(`${name}: ${error.message}`);
    }
  }
  if (failures.length === 0) return list(rows, { provider: 'resourceProvider', ...COLUMNS });
  const count = `${failures.length} of ${members.length}`;
  throw new Failure(EXIT.refused, `${count} were not set: ${failures.join('; ')}`);
}

function setter(client: Client, changes: readonly InventoryChange[], amend = false, dryRun = false): Set {
  return (provider) =>
    untilNoConflict(async () => {
      const found = await readProvider(client, api.ShowInventoriesDocument, provider);
      const { uuid, generation, inventories: before } = found;
      const inventories = (amend ? amended(before, changes) : changes).map(completeInventory);
      if (dryRun) return inventories.map(asStored);
      const edits = { generation, inventories: { set: inventories } };
      return (await updateProvider(client, uuid, edits)).inventories;
    });
}

function amended(
  before: readonly api.InventoryFieldsFragment[],
  changes: readonly InventoryChange[],
): InventoryChange[] {
  const stored = before.map(
    ({ resourceClass, total, reserved, minUnit, maxUnit, stepSize, allocationRatio, consumes }) => {
      const fields = { total, reserved, minUnit, maxUnit, stepSize, allocationRatio };
      return { resourceClass: resourceClass.name, ...fields, consumes: consumes.map(counterInput) };
    },
  );
  const byClass = new Map<string, InventoryChange>();
  for (const change of [...stored, ...changes])
    byClass.set(change.resourceClass, { ...byClass.get(change.resourceClass), ...change });
  return [...byClass.values()];
}

/** Returns a stored counter as an input. A deleted provider has no uuid, so the server rejects it. */
function counterInput({
  resourceProvider,
  resourceClass,
  amount,
}: api.InventoryFieldsFragment['consumes'][number]): api.ConsumptionInput {
  return {
    resourceProvider: { uuid: resourceProvider?.uuid ?? '' },
    resourceClass: resourceClass.name,
    amount,
  };
}

function asStored(inventory: api.InventoryInput): Shown {
  const { resourceClass, ...rest } = withInventoryDefaults(inventory);
  return { resourceClass: { name: resourceClass }, ...rest };
}
