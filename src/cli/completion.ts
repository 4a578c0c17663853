import { Argument, type Command } from 'commander';
import { createCommand } from './program.ts';

/** A command by the words that lead to it, and the words that can follow. */
interface Completion {
  readonly path: string;
  readonly words: readonly string[];
}

function completionsOf(command: Command, path = ''): readonly Completion[] {
  const visible = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');
  const flags = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const words = [...visible.map((each) => each.name()), ...choices, ...flags];
  return [{ path, words }, ...visible.flatMap((each) => completionsOf(each, `${path} ${each.name()}`.trim()))];
}

function bash(name: string, completions: readonly Completion[]): string {
  const cases = (line: (completion: Completion) => string) => completions.map((each) => `    ${line(each)}`).join('\n');
  return `_embed_gateway() {
  local path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${completions.flatMap(({ path }) => (path ? [`"${path}"`] : [])).join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases(({ path, words }) => `"${path}") words="${words.join(' ')}" ;;`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _embed_gateway ${name}`;
}

function fish(name: string, completions: readonly Completion[]): string {
  const lines = completions.map(({ path, words }) => {
    const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const top = completions.flatMap((each) => (each.path && !each.path.includes(' ') ? [each.path] : []));
    const isHere = path ? seen.join('; and ') : `not __fish_seen_subcommand_from ${top.join(' ')}`;
    return `complete -c ${name} -n '${isHere}' -a '${words.join(' ')}'`;
  });
  return lines.join('\n');
}

const SHELLS: Readonly<Record<string, (name: string, completions: readonly Completion[]) => string>> = {
  bash,
  // zsh runs the functions of bash
  zsh: (name, completions) =>
    `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(name, completions)}`,
  fish,
};

/** Prints a script that completes the commands and options of the program. */
export function createCompletionCommand(): Command {
  return createCommand(
    'completion',
    'Prints a script that completes commands and options: source it in the start file of the shell.',
  )
    .summary('Prints a completion script for a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action((shell: string, _options, command: Command) => {
      const program = command.parent as Command;
      console.log(SHELLS[shell]?.(program.name(), completionsOf(program)));
    });
}
