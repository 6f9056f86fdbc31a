import { CommanderError, type Command } from 'commander';
import { fail } from './command.js';
import { addCandidateCommands } from './commands/candidates.js';
import { addAggregateCommands, addClassCommands, addTraitCommands } from './commands/catalog.js';
import { addClaimCommands } from './commands/claim.js';
import { addConsumerCommands } from './commands/consumer.js';
import { addDrainCommand } from './commands/drain.js';
import { addInventoryCommands } from './commands/inventory.js';
import { addProviderCommands } from './commands/provider.js';
import { addAuditCommand, addUsageCommands } from './commands/usage.js';
import { addWatchCommand } from './commands/watch.js';
import { EXIT, Failure } from './failure.js';

/** Adds the commands that ask the server at PLACEMENT_URL. */
export function addClientCommands(program: Command): void {
  program.exitOverride(); // runCommand sets the exit code
  program.commandsGroup('Commands that ask a server (PLACEMENT_URL):');
  addCandidateCommands(program);
  addClaimCommands(program);
  addDrainCommand(program);
  addConsumerCommands(program);
  addProviderCommands(program);
  addInventoryCommands(program);
  addTraitCommands(program);
  addAggregateCommands(program);
  addClassCommands(program);
  addUsageCommands(program);
  addWatchCommand(program);
  addAuditCommand(program);
}

/** Runs the command line. One that is invalid ends a command of the client with EXIT.usage. */
export async function runCommand(program: Command, isOfClient: boolean): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof Failure) fail(error, 'table');
    else if (!(error instanceof CommanderError)) throw error;
    else process.exitCode = error.exitCode !== 0 && isOfClient ? EXIT.usage : error.exitCode;
  }
}
