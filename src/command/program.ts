import { CommanderError, type Command } from 'commander';
import { addCommand, fail } from './command.js';
import { CANDIDATE_COMMANDS } from './commands/candidates.js';
import { AGGREGATE_COMMANDS, CLASS_COMMANDS, TRAIT_COMMANDS } from './commands/catalog.js';
import { CLAIM_COMMANDS } from './commands/claim.js';
import { COMPARE } from './commands/compare.js';
import { CONSUMER_COMMANDS } from './commands/consumer.js';
import { DRAIN } from './commands/drain.js';
import { AUDIT, USAGE_COMMANDS } from './commands/fleet.js';
import { FLEET_COMMANDS } from './commands/fleetApply.js';
import { INVENTORY_COMMANDS } from './commands/inventory.js';
import { PROVIDER_COMMANDS } from './commands/provider.js';
import { QUOTA_COMMANDS } from './commands/quota.js';
import { REBALANCE } from './commands/rebalance.js';
import { TREE_COMMANDS } from './commands/tree.js';
import { TREE_SOURCE_COMMANDS } from './commands/treeSources.js';
import { WORKLOAD_COMMANDS } from './commands/workload.js';
import { WATCH } from './commands/watch.js';
import { EXIT, EXIT_MEANINGS, Failure } from './failure.js';
import { isSingle } from './options.js';

const GROUPS: Readonly<Record<string, string>> = {
  workload: 'workloads: several members that are placed together',
  consumer: 'consumers, such as instances, and their allocations',
  project: 'projects: owners of consumers',
  provider: 'resource providers, such as hosts, and their trees',
  tree: 'whole trees of providers from files',
  fleet: 'fleets: the hosts of Kubernetes, Slurm, libvirt, hwloc, Nova or a table, and their owner',
  inventory: 'inventories of providers by resource class',
  trait: 'traits: qualities that a provider has or lacks',
  aggregate: 'aggregates: groups of providers, such as zones',
  class: 'resource classes, such as VCPU',
  quota: 'quotas: limits of projects and groups of projects',
};

const COMMANDS = [
  ...CANDIDATE_COMMANDS,
  ...CLAIM_COMMANDS,
  ...WORKLOAD_COMMANDS,
  DRAIN,
  REBALANCE,
  ...CONSUMER_COMMANDS,
  ...PROVIDER_COMMANDS,
  ...TREE_COMMANDS,
  ...TREE_SOURCE_COMMANDS,
  ...FLEET_COMMANDS,
  ...INVENTORY_COMMANDS,
  ...TRAIT_COMMANDS,
  ...AGGREGATE_COMMANDS,
  ...CLASS_COMMANDS,
  ...USAGE_COMMANDS,
  ...QUOTA_COMMANDS,
  WATCH,
  AUDIT,
  COMPARE,
];

const VARIABLES = [
  ['PLACEMENT_URL', 'the address of the server; defaults to http://127.0.0.1:4000/graphql'],
  ['PLACEMENT_TOKEN', 'the token that is sent to it'],
  ['PLACEMENT_TOKEN_FILE', 'a file with the token, if PLACEMENT_TOKEN is not set'],
  ['PLACEMENT_OTHER_TOKEN', 'the token for the other server of `compare`; or PLACEMENT_OTHER_TOKEN_FILE'],
  ['NODE_EXTRA_CA_CERTS', 'a file with certificates to trust'],
  ['COLUMNS', 'the width of tables, if standard output is no terminal'],
];

function section(title: string, rows: readonly (readonly string[])[], width: number): string {
  return `\n${title}:\n${rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}\n`).join('')}`;
}

/** Adds the commands that send operations to the server at PLACEMENT_URL. */
export function addClientCommands(program: Command): void {
  program.exitOverride(); // runCommand sets the exit code
  program.addHelpText(
    'after',
    section('Environment variables', VARIABLES, 21) + section('Exit codes', Object.entries(EXIT_MEANINGS), 1),
  );
  program.commandsGroup('Commands that ask a server (PLACEMENT_URL):');
  for (const command of COMMANDS) {
    const [group] = command.usage.split(' ');
    const isNew = program.commands.every((each) => each.name() !== group);
    if (group in GROUPS && isNew) program.command(group).description(GROUPS[group]);
    addCommand(program, command);
  }
}

/** Makes a command reject an option with one value that is given twice. */
function rejectRepeated(command: Command): void {
  for (const option of command.options.filter(isSingle)) {
    let count = 0;
    command.on(`option:${option.name()}`, () => {
      if (++count > 1) command.error(`error: option '${option.flags}' is given twice`);
    });
  }
  command.commands.forEach(rejectRepeated);
}

/** Returns the command line: `quota help set` for `help quota set`, of which Commander reads one name. */
function commandLineOf(program: Command): readonly string[] {
  const [first, name, ...rest] = process.argv.slice(2);
  const isGroup = program.commands.some((each) => each.name() === name && each.commands.length > 0);
  return first === 'help' && isGroup && rest.length > 0 ? [name, 'help', ...rest] : process.argv.slice(2);
}

/** Runs the command line. If it is invalid, the program ends with EXIT.usage. */
export async function runCommand(program: Command): Promise<void> {
  rejectRepeated(program);
  try {
    await program.parseAsync(commandLineOf(program), { from: 'user' });
  } catch (error) {
    if (error instanceof Failure) fail(error, 'table');
    else if (!(error instanceof CommanderError)) throw error;
    else process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}
