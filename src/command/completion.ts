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

/** The commands that list the names for an argument or the value of an option, by its name in the usage. */
const NAMES: Readonly<Record<string, string>> = {
  provider: 'provider list --limit 1000 -o name --starts-with',
  trait: 'trait list --limit 1000 -o name --starts-with',
  class: 'class list --limit 1000 -o name --starts-with',
  aggregate: 'aggregate list --limit 1000 -o name',
};

/** The words that may follow a command or an option with a value. */
interface CompletedWord {
  /** The commands and the option before the words: `provider list`, `provider list --output`. */
  readonly chain: string;
  readonly isOption: boolean;
  readonly words: readonly string[];
  /** The kinds of objects whose names may follow: keys of NAMES. */
  readonly kinds: readonly string[];
}

function placesOf(command: Command, chain = ''): CompletedWord[] {
  const { commands, options } = command;
  const inner = commands.flatMap((each) => placesOf(each, `${chain} ${each.name()}`.trim()));
  const values = options.flatMap(({ long, short, argChoices = [], flags: usage }) =>
    [long, short].flatMap((flag) => {
      const kinds = kindsIn(usage);
      if (!flag || argChoices.length + kinds.length === 0) return [];
      return { chain: `${chain} ${flag}`.trim(), isOption: true, words: argChoices, kinds };
    }),
  );
  const flags = options.filter(({ hidden }) => !hidden).map(({ long, short }) => long ?? short!);
  const words = [...commands.map((each) => each.name()), ...flags, '--help'];
  const kinds = commands.length > 0 ? [] : kindsIn(command.usage());
  return [{ chain, isOption: false, words, kinds }, ...values, ...inner];
}

/** Returns the kinds of the arguments in a usage: `<provider> <trait...>`. */
function kindsIn(usage: string): string[] {
  const names = [...usage.matchAll(/[<[](\w+)/g)].map(([, name]) =>
    /^amounts?$/.test(name) ? 'class' : name.replace(/(?<=provider|trait|aggregate)s$/, ''),
  );
  return [...new Set(names)].filter((name) => name in NAMES);
}

/** Returns the chains of all commands, in quotes. */
function commandsIn(places: readonly CompletedWord[], separator: string): string {
  const commands = places.filter(({ chain, isOption }) => chain !== '' && !isOption);
  return commands.map(({ chain }) => `'${chain}'`).join(separator);
}

/** Returns a shell function that lists the names of some kinds of objects which start with a text. */
function namesFunction(first: string): string {
  const cases = Object.entries(NAMES).map(
    ([kind, line]) => `      ${kind}) placement-graphql ${line}${line.endsWith('with') ? ' "$1"' : ''} ;;`,
  );
  return `_placement_graphql_names() {
  local kind
  for kind in ${first}; do
    case "$kind" in
${cases.join('\n')}
    esac
  done 2>/dev/null
}
`;
}

/** Returns the shell code that finds the words and the kinds of names which may follow the typed commands. */
function walk(places: readonly CompletedWord[], earlier: string): string {
  const cases = places.map(
    ({ chain, words, kinds }) =>
      `      '${chain}') candidates='${words.join(' ')}' kinds='${kinds.join(' ')}' found=1 ;;`,
  );
  return `  local chain='' candidates='' kinds='' found='' word last=''
  for word in ${earlier}; do
    case "\${chain:+$chain }$word" in
      ${commandsIn(places, '|')}) chain="\${chain:+$chain }$word" ;;
    esac
    last="$word"
  done
  for word in "\${chain:+$chain }$last" "$chain"; do
    [[ -n "$found" ]] || case "$word" in
${cases.join('\n')}
    esac
  done`;
}

/** Names come from a server: `compgen -W` would run commands in them. */
function bashScript(program: Command): string {
  return `${namesFunction('$2')}_placement_graphql() {
  local current="\${COMP_WORDS[COMP_CWORD]}" name
${walk(placesOf(program), '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
  [[ -z "$kinds" || "$current" == -* ]] || while IFS= read -r name; do
    [[ "$name" == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$name")")
  done < <(_placement_graphql_names "$current" "$kinds")
}
complete -o default -F _placement_graphql placement-graphql
`;
}

function zshScript(program: Command): string {
  return `${namesFunction('${=2}')}_placement_graphql() {
${walk(placesOf(program), '"${(@)words[2,CURRENT-1]}"')}
  compadd -- \${=candidates}
  local current="\${words[CURRENT]}"
  [[ -z "$kinds" || "$current" == -* ]] || compadd -- "\${(@f)$(_placement_graphql_names "$current" "$kinds")}"
}
compdef _placement_graphql placement-graphql
`;
}

function fishScript(program: Command): string {
  const places = placesOf(program);
  const cases = places.map(({ chain, words, kinds }) => {
    const names = kinds.length === 0 ? '' : `      __placement_graphql_names ${kinds.join(' ')}\n`;
    const listed = words.length === 0 ? '' : `      printf '%s\\n' ${words.join(' ')}\n`;
    return `    case '${chain}'\n${listed}${names}      return`;
  });
  const names = Object.entries(NAMES).map(
    ([kind, line]) =>
      `    case ${kind}\n      placement-graphql ${line}${line.endsWith('with') ? ' "$current"' : ''} 2>/dev/null`,
  );
  return `function __placement_graphql_names
  set -l current (commandline -ct)
  string match -q -- '-*' "$current"; and return
  for kind in $argv; switch $kind
${names.join('\n')}
  end; end
end
function __placement_graphql
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
