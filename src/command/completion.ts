import type { Command } from 'commander';
import { Failure } from './failure.js';

const SHELLS: Readonly<Record<string, (program: Command) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Adds the command that prints a completion script for all commands added so far. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion <shell>')
    .description(
      'print a completion script for bash, zsh or fish: source <(placement-graphql completion bash)',
    )
    .action((shell: string) => {
      const script = SHELLS[shell];
      if (script === undefined)
        throw Failure.usage(`${shell} must be one of ${Object.keys(SHELLS).join(', ')}`);
      process.stdout.write(script(program));
    });
}

/** The words that may follow a command or an option with choices. */
interface CompletedWord {
  /** The commands and the option before the words: `provider list`, `provider list --output`. */
  readonly chain: string;
  readonly isOption: boolean;
  readonly words: readonly string[];
}

function placesOf(command: Command, chain = ''): CompletedWord[] {
  const { commands, options } = command;
  const inner = commands.flatMap((each) => placesOf(each, `${chain} ${each.name()}`.trim()));
  const choices = options.flatMap(({ long, short, argChoices }) =>
    [long, short].flatMap((flag) =>
      flag && argChoices ? { chain: `${chain} ${flag}`.trim(), isOption: true, words: argChoices } : [],
    ),
  );
  const flags = options.filter(({ hidden }) => !hidden).map(({ long, short }) => long ?? short!);
  const words = [...commands.map((each) => each.name()), ...flags, '--help'];
  return [{ chain, isOption: false, words }, ...choices, ...inner];
}

/** Returns the chains of all commands, in quotes. */
function commandsIn(places: readonly CompletedWord[], separator: string): string {
  const commands = places.filter(({ chain, isOption }) => chain !== '' && !isOption);
  return commands.map(({ chain }) => `'${chain}'`).join(separator);
}

/** Returns the shell code that finds the words which may follow the typed commands. */
function walk(places: readonly CompletedWord[], earlier: string): string {
  const cases = places.map(({ chain, words }) => `      '${chain}') candidates='${words.join(' ')}' ;;`);
  return `  local chain='' candidates='' word last=''
  for word in ${earlier}; do
    case "\${chain:+$chain }$word" in
      ${commandsIn(places, '|')}) chain="\${chain:+$chain }$word" ;;
    esac
    last="$word"
  done
  for word in "\${chain:+$chain }$last" "$chain"; do
    [[ -n "$candidates" ]] || case "$word" in
${cases.join('\n')}
    esac
  done`;
}

function bashScript(program: Command): string {
  return `_placement_graphql() {
${walk(placesOf(program), '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _placement_graphql placement-graphql
`;
}

function zshScript(program: Command): string {
  return `_placement_graphql() {
${walk(placesOf(program), '"${(@)words[2,CURRENT-1]}"')}
  compadd -- \${=candidates}
}
compdef _placement_graphql placement-graphql
`;
}

function fishScript(program: Command): string {
  const places = placesOf(program);
  const cases = places.map(
    ({ chain, words }) => `    case '${chain}'\n      printf '%s\\n' ${words.join(' ')}\n      return`,
  );
  return `function __placement_graphql
  set -l chain ''
  set -l last ''
  for word in (commandline -opc)[2..-1]
    switch (string trim "$chain $word")
      case ${commandsIn(places, ' ')}
        set chain (string trim "$chain $word")
    end
    set last $word
  end
  for key in (string trim "$chain $last") "$chain"; switch "$key"
${cases.join('\n')}
  end; end
end
complete -c placement-graphql -a '(__placement_graphql)'
`;
}
