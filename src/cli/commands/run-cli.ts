import { resolve } from 'node:path';
import { defaultOf, flagName, type FlagTable } from '../../flags/flag-table.ts';
import { flagsOf } from '../../flags/flag-options.ts';
import { parseArguments } from '../../flags/parse-arguments.ts';
import { CliError, errorLine } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import type { Command, Invocation } from '../command.ts';
import { commandHelp, helpWidth } from '../command-help.ts';
import { commands } from './command-table.ts';
import { packageVersion } from '../../package/package-root.ts';
import { completionWord } from '../completion-word.ts';
import { globalFlags } from '../global-flags.ts';
import { commandNamed, helpOf, membersOf, unknownMember } from '../named-commands.ts';
import { nextWord } from '../next-word.ts';

/**
 * Runs the command line `args` (without node and script). Returns the exit code: 0 success, 1
 * failure, wrong usage included, as kubectl has it; 130 interrupted; a command may have others.
 */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  try {
    await runCommand(args, io);
    return 0;
  } catch (error) {
    if (io.signal.aborted) return 130;
    if (!(error instanceof CliError && error.silent)) io.stderr.write(`${errorLine(error)}\n`);
    return error instanceof CliError ? error.exitCode : 1;
  }
}

/** The only command whose words may name a plugin, as in kubectl. */
const extended = 'create';

/** Runs the plugin on the PATH that words without a command name; false if there is none. */
async function isPlugin({ command, before, after }: FoundCommand, io: CliIo): Promise<boolean> {
  if (command !== undefined && command.name !== extended) return false;
  const words = command === undefined ? after : [extended, ...after];
  const names = words.slice(0, command === undefined ? 1 : 2);
  const [word] = after;
  // Flags before its name are not the plugin's, and words of the table win.
  if (before.length > 0 || word === undefined || word.startsWith('-') || membersOf(commands, names).length > 0) {
    return false;
  }
  const { runPlugin } = await import('../plugins/run-plugin.ts');
  return runPlugin(words, names.length, io);
}

async function runCommand(args: readonly string[], io: CliIo): Promise<void> {
  if (args[0] === completionWord) return (await import('./shell/complete.ts')).complete(args.slice(1), commands, io);
  if (asksHelp(args)) return printGroup([], args.slice(0, -1), io);
  const found = findCommand(args);
  if (await isPlugin(found, io)) return;
  const { command, before, after } = found;
  if (command === undefined) {
    await printGroup(before, after, io);
    return;
  }
  const flags = await command.flags();
  const parsed = await parseFor(command, flags, [...before, ...after], io);
  const line = `cl ${command.name}`;
  // Help is printed even if other flags are invalid.
  if (parsed.given.has('help')) {
    io.stdout.write(commandHelp(command, { flags, more: await command.moreFlags?.() }, helpWidth(io.stdout)));
    return;
  }
  for (const warning of parsed.warnings) io.stderr.write(`Warning: ${warning}\n`);
  if (parsed.errors.length > 0) throw usageError(parsed.errors.join('; '), line);
  const [least, most] = command.words ?? [0, Infinity];
  if (parsed.words.length < least || parsed.words.length > most) {
    const [word = ''] = parsed.words;
    if (most === 0 && membersOf(commands, [command.name]).length > 0) throw unknownMember(commands, command, word);
    throw usageError(most === 0 ? `${line} takes no words` : `the words after ${line} are: ${command.usage}`, line);
  }
  const table: FlagTable = { ...globalFlags, ...flags };
  const nameOf = (option: string): string => flagName(option, table[option]);
  const own = new Set(Object.keys(table).map(nameOf));
  const values: Readonly<Record<string, unknown>> = parsed.values;
  const commandNames = new Set(Object.keys(flags).map(nameOf));
  // A flag of the command hides a global one of its name, as --user of a binding does.
  const isHidden = (option: string): boolean => !(option in flags) && commandNames.has(nameOf(option));
  const options = Object.fromEntries(
    Object.entries(table).map(([option, row]) => [option, isHidden(option) ? defaultOf(row) : values[nameOf(option)]]),
  );
  const others = [...parsed.given].filter(([name]) => !own.has(name));
  await command.run({
    // The values were parsed by this table.
    options: options as Invocation<FlagTable>['options'],
    words: parsed.words,
    wordsBeforeDashes: parsed.wordsBeforeDashes,
    more: others.flatMap(([name, texts]) => texts.map((text) => argument(name, text))),
    given: (option) => parsed.given.has(nameOf(option)),
    io,
    commands,
    command: line,
  });
}

function argument(name: string, text: string | undefined): string {
  return text === undefined ? `--${name}` : `--${name}=${text}`;
}

/** Parses the arguments of a command, after the arguments of its config file. */
async function parseFor(command: Command, flags: FlagTable, args: readonly string[], io: CliIo) {
  const table = flagsOf<FlagTable>({ ...globalFlags, ...flags });
  const first = parseArguments(table, [], args, { words: true });
  const config = command.hasConfigFile ? first.given.get('config')?.at(-1) : undefined;
  const isComplete = first.errors.length === 0 || !command.moreFlags;
  if (isComplete && config === undefined) return first;
  const all = { ...(await command.moreFlags?.()), ...table };
  const parsed = parseArguments(all, [], args, { words: true });
  if (config === undefined) return parsed;
  const { readConfigFile } = await import('../config-file.ts');
  const fromFile = await readConfigFile(resolve(io.directory, config), (name) => parsed.given.has(name));
  return parseArguments(all, [], [...fromFile, ...args], { words: true });
}

function usageError(message: string, line: string): CliError {
  return new CliError(message, { hint: `see ${line} --help` });
}

interface FoundCommand {
  readonly command: Command | undefined;
  /** The arguments before the words of the command. */
  readonly before: readonly string[];
  /** The arguments after these words; an unknown word is the first of them. */
  readonly after: readonly string[];
}

/** The most words of a command: `create secret generic`. */
const mostWords = 3;

/** The longest command whose words come next among the arguments that are no flags. */
function findCommand(args: readonly string[]): FoundCommand {
  const places: number[] = [];
  for (let at = nextWord(args, 0); at < args.length && places.length < mostWords; at = nextWord(args, at + 1)) {
    places.push(at);
  }
  const words = places.map((at) => args[at] ?? '');
  const count = words.findLastIndex((_, index) => commandNamed(commands, words.slice(0, index + 1)) !== undefined) + 1;
  // `create secret` is not `create` with a word, but a group of its own.
  const isGroup = count < words.length && membersOf(commands, words.slice(0, count + 1)).length > 0;
  const command = isGroup ? undefined : commandNamed(commands, words.slice(0, count));
  const used = new Set(command ? places.slice(0, count) : []);
  const start = command ? (places[count - 1] ?? 0) + 1 : (places[0] ?? args.length);
  return { command, before: args.slice(0, start).filter((_, at) => !used.has(at)), after: args.slice(start) };
}

/** Help of all commands, or of those that begin with some words; else a word is unknown. */
async function printGroup(before: readonly string[], after: readonly string[], io: CliIo): Promise<void> {
  const words = after.filter((arg) => !arg.startsWith('-'));
  const isVersion = words.length === 0 && [...before, ...after].includes('--version');
  io.stdout.write(isVersion ? `${packageVersion()}\n` : await helpOf(commands, words, helpWidth(io.stdout)));
}

/** True for `cl auth help`, which asks for help of a group. */
function asksHelp(words: readonly string[]): boolean {
  return words.length > 1 && words.at(-1) === 'help' && membersOf(commands, words.slice(0, -1)).length > 0;
}
