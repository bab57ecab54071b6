import { flagsOf } from '../flags/flag-options.ts';
import type { FlagTable } from '../flags/flag-table.ts';
import { globalFlags } from './global-flags.ts';

/** The index of the next argument that is no flag and no value of one; the length if none. */
export function nextWord(args: readonly string[], from: number): number {
  for (let at = from; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') break;
    if (!arg.startsWith('-') || arg === '-') return at;
    if (takesNext(arg)) at++;
  }
  return args.length;
}

/** Flags before the command are global ones; others are taken for flags with a value. */
function takesNext(arg: string): boolean {
  if (arg.includes('=')) return false;
  const long = arg.startsWith('--');
  if (!long && arg.length > 2) return false;
  const rows = Object.entries<FlagTable[string]>(flagsOf(globalFlags));
  const row = rows.find(([name, { short }]) => (long ? arg === `--${name}` : arg === `-${short ?? ''}`));
  return row?.[1].type.placeholder !== undefined;
}
