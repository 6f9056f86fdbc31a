import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { addClientCommands } from '../../src/command/program.js';
import { runClient } from './client.js';

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

const CLIENT_COMMANDS = new Command('placement-graphql');
addClientCommands(CLIENT_COMMANDS);
const isOfClient = (name: string): boolean => CLIENT_COMMANDS.commands.some((each) => each.name() === name);

/**
 * Returns the commands without an answer that a guide has in indented blocks, except those with names to fill in. Throws if a
 * line looks like a command but does not begin with the name of the program.
 */
export function commandsIn(guide: string): string[] {
  const others = guide.match(/^ {4}(\$|placement) .*$/gm);
  if (others) throw new Error(`not written as a command of placement-graphql: ${others.join('; ')}`);
  const lines = [...guide.matchAll(/^ {4}(placement-graphql (\S+).*)$/gm)];
  return lines.flatMap(([, line, name]) => (isOfClient(name) && !/ [A-Z]+( |$)/.test(line) ? line : []));
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

/**
 * A function of the shell in place of the program. It sends its arguments and, if one is `-`, its input to the test,
 * which runs the command. It receives the exit code and the output.
 */
const CLIENT = `placement-graphql() {
  local input='' code out error
  [[ " $* " == *' - '* ]] && input=$(cat)
  exec 9<>"/dev/tcp/127.0.0.1/$CLIENT_PORT"
  printf '%s\\0' "$#" "$@" "$input" >&9
  IFS= read -r -d '' code <&9; IFS= read -r -d '' out <&9; IFS= read -r -d '' error <&9
  exec 9>&-
  printf '%s' "$out"; printf '%s' "$error" >&2
  return "$code"
}
`;

/** Answers the function of the shell. */
async function answer(socket: Socket, url: string): Promise<void> {
  let received = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    received += chunk as string;
    const [count, ...rest] = received.split('\0');
    if (rest.length - 2 < Number(count)) continue;
    const options = rest.slice(0, Number(count));
    const { code, out, error } = await runClient(url, options, { input: rest[Number(count)] });
    socket.end(`${code}\0${out}\0${error}\0`);
    return;
  }
}

/** Runs commands of a guide in a shell whose client commands run in this process. */
export class GuideShell {
  private constructor(
    private readonly server: Server,
    private readonly url: string,
    private readonly folder: string,
  ) {}

  /** @param folder the folder in which its commands run; that of the project by default */
  static async start(url: string, folder = fileURLToPath(root)): Promise<GuideShell> {
    const server = createServer({ allowHalfOpen: true }, (socket) => void answer(socket, url));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new GuideShell(server, url, folder);
  }

  /** Returns what a command prints. */
  run(command: string): Promise<string> {
    const { port } = this.server.address() as AddressInfo;
    const env = { ...environmentOf(this.url), CLIENT_PORT: String(port) };
    const options = ['--norc', '-c', CLIENT + command];
    return new Promise((resolve, reject) => {
      execFile('bash', options, { env, cwd: this.folder }, (failure, out, error) =>
        failure ? reject(new Error(error)) : resolve(out),
      );
    });
  }

  close(): void {
    this.server.close();
  }
}
