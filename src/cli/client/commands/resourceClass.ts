import type { Command } from 'commander';
import {
  CreateClassDocument,
  DeleteClassDocument,
  ListClassesDocument,
  ShowClassDocument,
} from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import type { Client } from '../connection/client.js';
import { accepted, Failure } from '../connection/failure.js';
import { fields, list, type Output } from '../output/output.js';

export function addClassCommands(program: Command): void {
  const resourceClass = program
    .command('class')
    .description('resource classes: what is counted, such as VCPU');
  addCommand(resourceClass, 'list', 'all classes by name').action(action(listAll));
  addCommand(resourceClass, 'show <class>', 'one class').action(action(show));
  addCommand(
    resourceClass,
    'create <class>',
    'create a custom class; one that is there is left as it is',
  ).action(action(create));
  addCommand(resourceClass, 'delete <class>', 'delete a custom class of which there is no inventory').action(
    action(remove),
  );
}

async function listAll(client: Client): Promise<Output> {
  const { resourceClasses } = await client.run(ListClassesDocument, {});
  return list(resourceClasses, { name: (each) => each.name, standard: (each) => each.isStandard });
}

async function show(client: Client, _options: object, name: string): Promise<Output> {
  const { resourceClass } = await client.run(ShowClassDocument, { name });
  if (resourceClass == null) throw Failure.notFound(`there is no resource class "${name}"`);
  return { data: resourceClass, blocks: [fields({ name, standard: resourceClass.isStandard })] };
}

async function create(client: Client, _options: object, name: string): Promise<Output> {
  const { createResourceClass } = await client.run(CreateClassDocument, { name });
  const { created } = accepted(createResourceClass);
  return { data: { name, created }, blocks: [created ? `created ${name}` : `${name} is there already`] };
}

async function remove(client: Client, _options: object, name: string): Promise<Output> {
  const { deleteResourceClass } = await client.run(DeleteClassDocument, { name });
  return { data: { name: accepted(deleteResourceClass).name }, blocks: [`deleted ${name}`] };
}
