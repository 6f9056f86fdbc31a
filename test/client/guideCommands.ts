import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** A command in a guide, and what it prints. */
export interface GuideCommand {
  readonly command: string;
  readonly answer: string;
}

/** Returns the commands in the blocks of a language in a guide, in order. */
export function commandsOf(guide: string, language: string): GuideCommand[] {
  const text = readFileSync(new URL(`docs/guides/${guide}`, root), 'utf8');
  const blocks = [...text.matchAll(new RegExp('^```' + language + '\\n(.*?)^```$', 'gms'))];
  return blocks.flatMap(([, block]) => block.split(/^\$ /m).slice(1).map(commandOf));
}

function commandOf(part: string): GuideCommand {
  const lines = part.split('\n');
  const rest = lines.findIndex((line, at) => at > 0 && !line.startsWith('> '));
  const command = lines.slice(0, rest).map((line) => line.replace(/^> /, ''));
  return { command: command.join('\n'), answer: lines.slice(rest).join('\n') };
}

/** The environment of a reader of a guide, whose shell is in the folder of the project. */
export function environmentOf(url: string): NodeJS.ProcessEnv {
  const programs = fileURLToPath(new URL('node_modules/.bin', root));
  return { PATH: `${programs}:${process.env.PATH}`, PLACEMENT_URL: url };
}

/** Returns what a command prints. */
export function run(command: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['--norc', '-c', command], { env, cwd: fileURLToPath(root) }, (failure, out, error) =>
      failure ? reject(new Error(error)) : resolve(out),
    );
  });
}
