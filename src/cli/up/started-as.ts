import { basename, delimiter, dirname, relative, sep } from 'node:path';
import type { CliIo } from '../cli-io.ts';

/**
 * The command by which this program was started, so that printed examples work as they are:
 * through npx, from a package that is not on the PATH, from an archive, or from the sources.
 * `script` is what Node runs.
 */
export function startedAs(script: string, io: Pick<CliIo, 'env' | 'directory'>): string {
  const { npm_command: npm, CL_LAUNCHER: launcher } = io.env;
  if (basename(script) === 'cl.js') return launcher ? callOf(launcher, io) : `node ${shownPath(script, io)}`;
  // In scripts of npm and under npx the PATH has this program, and in the shell around not.
  return npm === undefined ? callOf(script, io) : 'npx cl-apiserver';
}

/** The name of the program if the shell finds it by that, else its path. */
function callOf(program: string, io: Pick<CliIo, 'env' | 'directory'>): string {
  const folders = (io.env['PATH'] ?? '').split(delimiter);
  if (folders.includes(dirname(program))) return basename(program);
  const path = shownPath(program, io);
  return path.includes(sep) ? path : `.${sep}${path}`;
}

/** A path below the current directory without that; another one as it is. */
export function shownPath(path: string, { directory }: Pick<CliIo, 'directory'>): string {
  const short = relative(directory, path);
  return short.startsWith('..') ? path : short;
}
