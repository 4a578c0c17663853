import { Argument, type Command } from 'commander';
import { takesList } from './options.ts';
import { createCommand } from './program.ts';

interface CompletedOption {
  readonly flag: string;
  /** The values to offer: none for a file or any text. Null if the option takes no value. */
  readonly values: readonly string[] | null;
  /** True if several values may follow, separated by commas. */
  readonly isList: boolean;
}

/** A command by the words that lead to it, and what can follow. */
interface Completion {
  readonly path: string;
  readonly subcommands: readonly string[];
  /** The choices of the arguments. */
  readonly choices: readonly string[];
  readonly options: readonly CompletedOption[];
}

function completionsOf(command: Command, path = ''): readonly Completion[] {
  const help = command.createHelp();
  const visible = help.visibleCommands(command).filter((each) => each.name() !== 'help');
  const options = help.visibleOptions(command).flatMap((option) => {
    const { long, required, argChoices = [] } = option;
    return long ? [{ flag: long, values: required ? argChoices : null, isList: takesList(option) }] : [];
  });
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const completion = { path, subcommands: visible.map((each) => each.name()), choices, options };
  return [completion, ...visible.flatMap((each) => completionsOf(each, `${path} ${each.name()}`.trim()))];
}

/**
 * bash offers files where the function offers nothing, and makes three words of `--mode=dark`. zsh runs the function too:
 * there, it is one word, variables such as `path` and `words` are special, and a length must begin with `$`.
 */
function bash(name: string, completions: readonly Completion[]): string {
  const paths = completions.flatMap(({ path }) => (path ? [`"${path}"`] : []));
  const ofCommands = completions.map(({ path, subcommands, choices, options }) => {
    const flags = options.map(({ flag }) => flag).join(' ');
    return `    "${path}") offers="${[...subcommands, ...choices].join(' ')}" flags="${flags}" ;;`;
  });
  const ofValues = completions.flatMap(({ path, options }) =>
    options.flatMap(({ flag, values, isList }) =>
      values ? [`    "${path} ${flag}") offers="${values.join(' ')}"${isList ? ' list=,' : ''} ;;`] : [],
    ),
  );
  return `_embed_gateway() {
  local chain="" offers="" flags="" prefix="" list="" chosen="" word
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "\${chain:+$chain }$word" in
      ${paths.join('|')}) chain="\${chain:+$chain }$word" ;;
    esac
  done
  case "$chain" in
${ofCommands.join('\n')}
  esac
  if [ "$current" = "=" ]; then current=""; fi
  if [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$current" in
    --*=*) previous="\${current%%=*}"; prefix="$previous="; current="\${current#*=}" ;;
    -*) offers="$flags" ;;
  esac
  case "$chain $previous" in
${ofValues.join('\n')}
  esac
  case "$list$current" in
    ,*,*) chosen=",\${current%,*},"; prefix="$prefix\${current%,*},"; current="\${current##*,}" ;;
  esac
  for word in $offers; do
    case "$chosen" in *",$word,"*) offers=" $offers "; offers="\${offers/ $word / }" ;; esac
  done
  COMPREPLY=($(compgen -P "$prefix" -W "$offers" -- "$current"))
}
complete -o default -F _embed_gateway ${name}`;
}

function fish(name: string, completions: readonly Completion[]): string {
  const lines = completions.flatMap(({ path, subcommands, choices, options }) => {
    const seen = path.split(' ').flatMap((word) => (word ? [`__fish_seen_subcommand_from ${word}`] : []));
    const unseen = subcommands.length > 0 ? [`not __fish_seen_subcommand_from ${subcommands.join(' ')}`] : [];
    const begin = `complete -c ${name} -n '${[...seen, ...unseen].join('; and ')}'`;
    const words = [...subcommands, ...choices];
    return [
      ...(words.length > 0 ? [`${begin} -f -a '${words.join(' ')}'`] : []),
      ...options.map((option) => `${begin} -l ${option.flag.slice(2)}${fishValues(option)}`),
    ];
  });
  return lines.join('\n');
}

function fishValues({ values, isList }: CompletedOption): string {
  if (!values) return '';
  if (values.length === 0) return ' -r';
  // without those that are chosen already
  const offers = `__fish_append , ${values.join(' ')} | string match -rv "(^|,)([^,]+),(.*,)?\\2\\$"`;
  return isList ? ` -x -a '(${offers})'` : ` -x -a '${values.join(' ')}'`;
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
