import { readFileSync } from 'node:fs';
import { commands } from '../../src/cli/commands/command-table.ts';
import { globalFlags } from '../../src/cli/global-flags.ts';
import { commandNamed, membersOf } from '../../src/cli/named-commands.ts';
import { nextWord } from '../../src/cli/next-word.ts';
import { spellNodeAgentFlags } from '../../src/config/flags/node-agent-flags.ts';
import { serverFlags } from '../../src/config/server-options.ts';
import { controllerManagerFlags } from '../../src/controllers/manager/controller-manager-flags.ts';
import { flagsOf } from '../../src/flags/flag-options.ts';
import type { Flag, FlagTable } from '../../src/flags/flag-table.ts';
import { toggle } from '../../src/flags/flag-types.ts';
import { parseArguments } from '../../src/flags/parse-arguments.ts';

/** Reports a fault of the arguments of a program, or undefined. */
export type ArgumentCheck = (args: readonly string[]) => Promise<string | undefined>;

/** Stands for a value that the reader has: `$NAME`, `<name>`, `NAME`, `...`. */
const placeholder = /\$\w|\$\{|<\w|\.\.\.|…|\b[A-Z][A-Z_-]+\b|SUBSTITUTED/;

/** Errors about flags; a value that the reader replaces may have any form. */
function faultsOf(errors: readonly string[]): string | undefined {
  const faults = errors.filter((error) => !(/ is not valid: /.test(error) && placeholder.test(error)));
  return faults.length === 0 ? undefined : faults.join('; ');
}

const commonFlags = {
  help: { type: toggle, help: '' },
  version: { type: toggle, help: '' },
} satisfies FlagTable;

/** A program without commands. Flags that must be given may be missing, as in an extract. */
function checkOf(flags: FlagTable): ArgumentCheck {
  const table: FlagTable = { ...flags, ...commonFlags };
  return async (args) => {
    const { errors } = parseArguments(table, [], args);
    return faultsOf(errors.filter((error) => !error.endsWith(' is required')));
  };
}

/** The words of a line that may name its command, at most three. */
function commandWords(args: readonly string[]): string[] {
  const words: string[] = [];
  for (let at = nextWord(args, 0); at < args.length && words.length < 3; at = nextWord(args, at + 1)) {
    words.push(args[at] ?? '');
  }
  return words;
}

const checkCl: ArgumentCheck = async (args) => {
  const words = commandWords(args);
  const [first] = words;
  if (first === undefined || placeholder.test(first) || first.startsWith('__')) return undefined;
  const count = words.findLastIndex((_, index) => commandNamed(commands, words.slice(0, index + 1)) !== undefined) + 1;
  // `create secret` is not `create` with a word, but a group of its own.
  if (count < words.length && membersOf(commands, words.slice(0, count + 1)).length > 0) return undefined;
  if (count === 0) return `cl has no command ${JSON.stringify(first)}`;
  const command = commandNamed(commands, words.slice(0, count));
  const table: FlagTable = { ...(await command?.moreFlags?.()), ...globalFlags, ...(await command?.flags()) };
  const { errors } = parseArguments({ ...flagsOf<FlagTable>(table), ...commonFlags }, [], args, { words: true });
  return faultsOf(errors);
};

const checkServer = checkOf(serverFlags);

/** The words of a command of kubectl, and its flags as `filename,f output,o`. */
const kubectl = (JSON.parse(readFileSync('hack/kubectl-commands.json', 'utf8')) as { commands: Record<string, string> })
  .commands;

const checkKubectl: ArgumentCheck = async (args) => {
  const words = commandWords(args);
  const [first] = words;
  if (first === undefined || placeholder.test(first)) return undefined;
  const name = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((some) => Object.hasOwn(kubectl, some));
  if (name === undefined && Object.keys(kubectl).some((some) => some.startsWith(`${first} `))) return undefined;
  if (name === undefined) return `kubectl has no command ${JSON.stringify(first)}`;
  const known = `${kubectl[name] ?? ''} ${kubectl['options'] ?? ''} help watch,w`.split(/[ ,]/);
  const flags = args.flatMap((arg) => /^--([a-z][a-z-]*)/.exec(arg)?.[1] ?? []);
  const unknown = flags.filter((flag) => !known.includes(flag));
  return unknown.length === 0 ? undefined : `kubectl ${name} has no flag --${unknown.join(', --')}`;
};

/** The programs of the package and kubectl, whose flags are known. */
export const programChecks: Readonly<Record<string, ArgumentCheck>> = {
  cl: checkCl,
  // With a command it is `cl`, so that `npx` with the name of the package has all of them.
  'cl-apiserver': async (args) =>
    args[0] === undefined || args[0].startsWith('-') ? checkServer(spellNodeAgentFlags(args)) : checkCl(args),
  'cl-controller-manager': checkOf(controllerManagerFlags),
  kubectl: checkKubectl,
};

/** Flags of other programs, of our own tools, and of the change in the tutorial, which pages name. */
const otherFlags = (
  'allow-privileged auto-compaction-retention cpu-prof disable-proto experimental-vm-modules ignore-scripts minimise ' +
  'sample seed server-header'
).split(' ');

/** The names of all flags that a page may name without their program. */
export async function knownFlags(): Promise<ReadonlySet<string>> {
  const tables = await Promise.all(
    commands.map(async (command) =>
      flagsOf<FlagTable>({ ...(await command.moreFlags?.()), ...(await command.flags()) }),
    ),
  );
  const own = [...tables, flagsOf<FlagTable>(globalFlags), serverFlags, controllerManagerFlags, commonFlags];
  const ofKubectl = Object.values(kubectl).flatMap((flags) => flags.split(/[ ,]/));
  const names = own.flatMap((table) =>
    Object.entries<Flag>(table).flatMap(([name, { aliases = [] }]) => [name, ...aliases]),
  );
  return new Set([...names, ...ofKubectl, ...otherFlags]);
}
