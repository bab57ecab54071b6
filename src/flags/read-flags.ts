import { packageVersion } from '../package/package-version.ts';
import type { FlagRule, FlagTable, FlagValues } from './flag-table.ts';
import { boolean } from './flag-types.ts';
import { formatHelp, type Program } from './format-help.ts';
import { parseArguments } from './parse-arguments.ts';

/** Exit code of a program that was called in a wrong way. */
const usageError = 2;

/** The flags that every program has. */
const commonFlags = {
  version: { type: boolean, default: false, section: 'Other', help: 'print the version of this program and exit' },
  help: { type: boolean, default: false, section: 'Other', help: 'print this text and exit' },
} satisfies FlagTable;

/**
 * The values of a program's flags, read from its arguments (without node and script). Prints and exits with 0 on `--help` and
 * `--version`, and with 2, having said everything that is wrong, on flags that cannot be. Warns of deprecated flags.
 */
export function readFlags<T extends FlagTable>(
  program: Program<T>,
  rules: readonly FlagRule<T>[],
  args: readonly string[],
): FlagValues<T> {
  const flags = { ...program.flags, ...commonFlags };
  // Of a program called with `-h` nothing else is wanted.
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
