import { Command, InvalidArgumentError, type Option } from 'commander';
import { ROLES } from '../../authentication/roles.js';
import type { CreateOptions } from './tokens.js';
import type { CommonOptions } from '../options.js';

/** How long the units of `--expires` are (ms). */
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `token`: the static tokens that the file `tokens.file` has. @param config makes the option that every command has */
export function tokenCommand(config: () => Option): Command {
  const command = new Command('token').description('make, list and revoke the static tokens of tokens.file');
  command
    .command('create')
    .description('make a token and print it, this once')
    .requiredOption('--name <name>', 'who has it')
    .requiredOption('--role <role...>', `what it allows: ${ROLES.join(', ')}`)
    .option('--project <id>', 'the project that it is for; otherwise the whole cloud')
    .option(
      '--expires <time>',
      'for how long it is valid: 90d, 12h, 30m; otherwise until it is revoked',
      duration,
    )
    .addOption(config())
    .action(async (options: CreateOptions) => (await import('./tokens.js')).createToken(options));
  command
    .command('list')
    .description('print what the tokens are for, and not the tokens')
    .addOption(config())
    .action(async (options: CommonOptions) => (await import('./tokens.js')).listTokens(options));
  command
    .command('revoke')
    .description('have a token be refused from now on')
    .argument('<name>', 'who has it')
    .addOption(config())
    .action(async (name: string, options: CommonOptions) =>
      (await import('./tokens.js')).revokeToken(name, options),
    );
  return command;
}

function duration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('must be like 90d, 12h or 30m');
  return Number(count) * UNITS[unit];
}
