import { CommanderError, type Command } from 'commander';
import { fail } from './action.js';
import { addAggregateCommands } from './commands/aggregate.js';
import { addAuditCommand } from './commands/audit.js';
import { addCandidateCommands } from './commands/candidates.js';
import { addClaimCommand } from './commands/claim.js';
import { addConsumerCommands } from './commands/consumer.js';
import { addDrainCommand } from './commands/drain.js';
import { addInventoryCommands } from './commands/inventory.js';
import { addMoveCommand } from './commands/move.js';
import { addProviderCommands } from './commands/provider.js';
import { addClassCommands } from './commands/resourceClass.js';
import { addTraitCommands } from './commands/trait.js';
import { addUsageCommands } from './commands/usage.js';
import { addWatchCommand } from './commands/watch.js';
import { EXIT, Failure } from './connection/failure.js';

/** Adds the commands that ask a server: it, and not the database, is named by PLACEMENT_URL. */
export function addClientCommands(program: Command): void {
  program.exitOverride(); // how it ends is said by runCommand
  program.commandsGroup('Commands that ask a server (PLACEMENT_URL):');
  addCandidateCommands(program);
  addClaimCommand(program);
  addMoveCommand(program);
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

/** Does what the command line says. One that makes no sense ends the program with the code for that where it was to ask a server. */
export async function runCommand(program: Command, isOfClient: boolean): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof Failure) fail(error, 'table');
    else if (!(error instanceof CommanderError)) throw error;
    else process.exitCode = error.exitCode !== 0 && isOfClient ? EXIT.usage : error.exitCode;
  }
}
