import { availableParallelism } from 'node:os';

const flag = '--workers';

/**
 * The number of processes that `--workers` asks for; 1 by default and for a value that is none,
 * which the flags refuse later. Read before anything else, so that the process that only starts the
 * others stays small.
 */
export function workersOf(args: readonly string[]): number {
  const at = args.findLastIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  const given = at < 0 ? '1' : args[at] === flag ? args[at + 1] : args[at]?.slice(flag.length + 1);
  if (given === 'auto') return availableParallelism();
  return /^\d+$/.test(given ?? '') ? Math.max(1, Number(given)) : 1;
}
