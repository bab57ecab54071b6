import { packageVersion } from '../package/package-root.ts';
import type { FlagRule, FlagValues, SectionedFlags } from './flag-table.ts';
import { boolean } from './flag-types.ts';
import { formatHelp, type Program } from './format-help.ts';
import { parseArguments } from './parse-arguments.ts';

/** Exit code for wrong usage. */
const usageError = 2;

/** The flags of all programs. */
const commonFlags = {
  version: { type: boolean, default: false, section: 'Other', help: 'print the version of this program and exit' },
  help: { type: boolean, default: false, section: 'Other', help: 'print this text and exit' },
} satisfies SectionedFlags;

/**
 * Parses a program's flags from its arguments (without node and script). `--help` and `--version`
 * print and exit with 0. Invalid flags print all errors and exit with 2. Deprecated flags print a
 * warning.
 */
export function readFlags<T extends SectionedFlags>(
  program: Program<T>,
  rules: readonly FlagRule<T>[],
  args: readonly string[],
): FlagValues<T> {
  const flags = { ...program.flags, ...commonFlags };
  // Help is printed even if other flags are invalid.
  if (args.includes('-h') || args.includes('--help')) print(formatHelp({ ...program, flags }));
  if (args.includes('--version')) print(`${packageVersion()}\n`);
  const { values, errors, warnings } = parseArguments(flags, rules, args);
  for (const warning of warnings) process.stderr.write(`${program.name}: warning: ${warning}\n`);
  if (errors.length === 0) return values;
  for (const error of errors) process.stderr.write(`${program.name}: error: ${error}\n`);
  process.stderr.write(`See ${program.name} --help.\n`);
  return process.exit(usageError);
}

function print(text: string): never {
  process.stdout.write(text);
  return process.exit(0);
}
