import { type ParseArgsConfig, parseArgs } from 'node:util';
import { formatCommandLine } from '#server/process/app-path.ts';
import { formatFailure } from '#server/process/failure-text.ts';
import commands from './commands.json' with { type: 'json' };

type CommandName = keyof typeof commands;
type Command = { readonly text: string; readonly usage?: Readonly<Record<string, string>> };
type Row = readonly [command: string, text: string];

/** Lists commands and their descriptions. */
export function formatUsage(rows: readonly Row[]): string {
  const lines = rows.map(([command, text]) => [formatCommandLine(command), text] as const);
  const width = Math.max(...lines.map(([line]) => line.length));
  return lines.map(([line, text]) => `${line.padEnd(width)}  ${text}`).join('\n');
}

/** Usage of one command. */
export function getUsage(name: CommandName): string {
  const command: Command = commands[name];
  return formatUsage(Object.entries(command.usage ?? { [name]: command.text }));
}

/**
 * Parses the arguments of a command. For `--help` or an unknown option, prints the usage and exits.
 */
export function parseCommand<const Config extends ParseArgsConfig>(
  name: CommandName,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const [firstArgument = ''] = process.argv.slice(2);
  if (['--help', '-h'].includes(firstArgument)) {
    console.log(getUsage(name));
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Don't print the argument itself, which may be a database URL with its password.
    const isArgument = 'code' in error && error.code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
    // The rest of Node's message is for developers of the command.
    const problem = isArgument ? 'Unexpected argument:' : error.message.split('. ')[0];
    console.error(`${problem}\n${getUsage(name)}`);
    process.exit(1);
  }
}

/** Prints the operator's message for a failure and sets the exit status. */
export function printFailure(error: unknown): void {
  console.error(formatFailure(error));
  process.exitCode = 1;
}
