import { closest, distance } from 'fastest-levenshtein';
import { CliError } from './cli-error.ts';
import type { Command } from './command.ts';
import { commandHelp, groupHelp, topHelp } from './command-help.ts';

/** The command of a name; an alias may also stand for the first words of longer commands. */
export function commandNamed(commands: readonly Command[], words: readonly string[]): Command | undefined {
  const name = words.join(' ');
  const found = commands.find((command) => command.name === name || command.aliases?.includes(name));
  if (found || words.length < 2) return found;
  const group = commandNamed(commands, words.slice(0, -1));
  return group && commands.find((command) => command.name === `${group.name} ${words.at(-1) ?? ''}`);
}

/** The commands that begin with these words and have more. */
export function membersOf(commands: readonly Command[], words: readonly string[]): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${words.join(' ')} `));
}

/** The help of a command, of those that begin with some words, or of all. Throws CliError. */
export async function helpOf(commands: readonly Command[], words: readonly string[], width: number): Promise<string> {
  if (words.length === 0) return topHelp(commands, width);
  const command = commandNamed(commands, words);
  if (command) return commandHelp(command, { flags: await command.flags(), more: await command.moreFlags?.() }, width);
  const known = words.findLastIndex((_, index) => membersOf(commands, words.slice(0, index + 1)).length > 0) + 1;
  if (known !== words.length) throw unknownCommand(commands, words.slice(0, known + 1).join(' '));
  return groupHelp(words.join(' '), membersOf(commands, words), width);
}

/** The greatest edit distance of a command that is suggested: two letters that are swapped. */
const nearEdits = 2;

/** The error of a word after a command that takes none, but begins others: `cl up dwon`. */
export function unknownMember(commands: readonly Command[], { name }: Command, word: string): CliError {
  const members = membersOf(commands, [name]).map((member) => member.name.slice(name.length + 1));
  const near = closest(word, members);
  const isNear = distance(word, near) <= nearEdits;
  return new CliError(`unknown command "${word}" for "cl ${name}"`, {
    hint: isNear ? `did you mean "${near}"?` : `there are ${members.join(', ')}`,
  });
}

function unknownCommand(commands: readonly Command[], word: string): CliError {
  const near = closest(
    word,
    commands.flatMap(({ name, aliases = [] }) => [name, ...aliases, name.split(' ')[0] ?? '']),
  );
  const far = distance(word, near);
  const isNear = far <= nearEdits && far < near.length;
  return new CliError(`unknown command "${word}" for "cl"`, {
    hint: isNear ? `did you mean "${near}"?` : 'see cl --help',
  });
}
