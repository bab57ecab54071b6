import { defaultOf, type Flag, flagName, type FlagTable } from '../../../flags/flag-table.ts';
import { flagsOf } from '../../../flags/flag-options.ts';
import { parseArguments } from '../../../flags/parse-arguments.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Command } from '../../command.ts';
import { globalFlags, type GlobalOptions } from '../../global-flags.ts';
import { nextWord } from '../../next-word.ts';
import {
  commandCompletions,
  type Completions,
  type CompletionScope,
  files,
  fit,
  nothing,
  valueCompletions,
} from './completions.ts';

/**
 * Prints the completions of the last of the words, each with a description after a tab, and then a
 * line that tells the shell about spaces and files. Prints nothing else, whatever is wrong.
 */
export async function complete(words: readonly string[], commands: readonly Command[], io: CliIo): Promise<void> {
  const { items, directive } = await completionsOf(words, commands, io).catch((): Completions => fit([]));
  const lines = items.map(({ text, help = '' }) => (help === '' ? text : `${text}\t${help}`));
  io.stdout.write([...lines, `:${directive}\n`].join('\n'));
}

/** The words of a command line by their parts. */
interface ReadLine {
  readonly command: Command | undefined;
  /** The words without flags and without the words of the command. */
  readonly words: readonly string[];
  /** The words of the command, or of the beginning of one. */
  readonly names: readonly string[];
}

async function completionsOf(args: readonly string[], commands: readonly Command[], io: CliIo): Promise<Completions> {
  const before = args.slice(0, -1);
  const current = args.at(-1) ?? '';
  // The words after it belong to a program.
  if (before.includes('--')) return files;
  const { command, words, names } = await readLine(before, commands);
  const table = flagsOf<FlagTable>({ ...globalFlags, ...(await command?.flags()) });
  const options = optionsOf(before, table);
  const scope = { io, options, words, command };
  const previous = before.at(-1) ?? '';
  if (takesValue(table, previous)) return flagValue(table, previous, { ...scope, current, prefix: '' });
  const [, flag, value = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== undefined) return flagValue(table, flag, { ...scope, current: value, prefix: `${flag}=` });
  if (current.startsWith('-')) return flagCompletions(table, current);
  if (command?.completes === 'command') return nextWords(words, current, commands);
  if (command && (words.length > 0 || !isGroup(names, commands))) return commandCompletions({ ...scope, current });
  return nextWords(names, current, commands);
}

async function readLine(args: readonly string[], commands: readonly Command[]): Promise<ReadLine> {
  const first = args[nextWord(args, 0)];
  const begins = (name: string): boolean => name.split(' ')[0] === first;
  // Only the flags of commands that begin with the word, for they are loaded.
  const possible = commands.filter(({ name, aliases = [] }) => [name, ...aliases].some(begins));
  const tables = await Promise.all(possible.map(({ flags }) => flags()));
  const all = flagsOf<FlagTable>(Object.assign({}, globalFlags, ...tables) as FlagTable);
  const plain = args.filter((arg, at) => !arg.startsWith('-') && !takesValue(all, args[at - 1] ?? ''));
  for (let count = plain.length; count > 0; count--) {
    const name = plain.slice(0, count).join(' ');
    const command = commands.find((each) => each.name === name || each.aliases?.includes(name));
    if (command) return { command, names: plain.slice(0, count), words: plain.slice(count) };
  }
  return { command: undefined, names: plain, words: [] };
}

function isGroup(names: readonly string[], commands: readonly Command[]): boolean {
  return commands.some(({ name }) => name.startsWith(`${names.join(' ')} `));
}

/** The words that may follow others in the names of commands. */
function nextWords(names: readonly string[], current: string, commands: readonly Command[]): Completions {
  const start = names.map((name) => `${name} `).join('');
  const found = new Map<string, string>();
  for (const { name, summary } of commands) {
    if (!name.startsWith(start)) continue;
    const [word = '', ...more] = name.slice(start.length).split(' ');
    if (!found.has(word) || more.length === 0) found.set(word, more.length === 0 ? summary : '');
  }
  return fit([...found].map(([text, help]) => ({ text, help })).filter(({ text }) => text.startsWith(current)));
}

/** The values of the flags, as far as they can be read: the line is not complete. */
function optionsOf(args: readonly string[], table: FlagTable): GlobalOptions {
  const { values } = parseArguments(table, [], args, { words: true });
  const all: Readonly<Record<string, unknown>> = values;
  const rows = Object.entries<FlagTable[string]>(globalFlags);
  const entries = rows.map(([key, flag]) => [key, all[flagName(key, flag)] ?? defaultOf(flag)]);
  // The values were parsed by the rows of the global flags.
  return Object.fromEntries(entries) as GlobalOptions;
}

function rowOf(table: FlagTable, arg: string): readonly [name: string, flag: Flag] | undefined {
  const isLong = arg.startsWith('--');
  return Object.entries(table).find(([name, { short }]) =>
    isLong ? arg === `--${name}` : short !== undefined && arg.startsWith('-') && arg.endsWith(short) && arg.length > 1,
  );
}

/** Reports whether the next word is the value of a flag. */
function takesValue(table: FlagTable, arg: string): boolean {
  if (!arg.startsWith('-') || arg === '--' || arg.includes('=')) return false;
  const [, flag] = rowOf(table, arg) ?? [];
  return flag !== undefined && flag.type.placeholder !== undefined && flag.bare === undefined;
}

/** The flags that begin with a prefix. */
function flagCompletions(table: FlagTable, current: string): Completions {
  const rows = Object.entries(table).filter(([name, { short }]) => name !== short);
  return fit(
    rows.map(([name, { help }]) => ({ text: `--${name}`, help })).filter(({ text }) => text.startsWith(current)),
  );
}

const formats = ['json', 'yaml', 'kyaml', 'name', 'wide', 'jsonpath=', 'go-template=', 'custom-columns='];

const fileWords: ReadonlySet<string> = new Set(['file', 'folder', 'path']);

/** The values of a flag; `prefix` is the part of the word before the value. */
async function flagValue(
  table: FlagTable,
  arg: string,
  scope: CompletionScope & { readonly prefix: string },
): Promise<Completions> {
  const [name, flag] = rowOf(table, arg) ?? [];
  if (name === undefined || flag === undefined) return nothing;
  const { type } = flag;
  const found = type.words ?? (name === 'output' ? formats : undefined);
  const completions = found ? fit(found.map((text) => ({ text }))) : await valueCompletions(name, scope);
  if (!completions) return fileWords.has(type.placeholder ?? '') ? files : nothing;
  const { items } = completions;
  return fit(
    items
      .filter(({ text }) => text.startsWith(scope.current))
      .map((item) => ({ ...item, text: scope.prefix + item.text })),
  );
}
