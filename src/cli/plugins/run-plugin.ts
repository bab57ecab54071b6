import { spawn } from 'node:child_process';
import { onAbort } from '../../async/abort-signals.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { pluginOf } from './find-plugins.ts';

/**
 * Runs the plugin that words name, at least `least` of them, with the words after its name, in this
 * terminal. Returns false if there is none. Throws its exit code, if not 0.
 */
export async function runPlugin(words: readonly string[], least: number, io: CliIo): Promise<boolean> {
  const plugin = await pluginOf(words, least, io);
  if (!plugin) return false;
  const isOwn = io.stdout === process.stdout;
  const child = spawn(plugin.path, plugin.args, {
    cwd: io.directory,
    env: io.env,
    stdio: isOwn ? 'inherit' : ['pipe', 'pipe', 'pipe'],
  });
  if (!isOwn) {
    child.stdout?.pipe(io.stdout, { end: false });
    child.stderr?.pipe(io.stderr, { end: false });
    child.stdin?.on('error', () => {});
    if (child.stdin) io.stdin.pipe(child.stdin);
  }
  // At a prompt the plugin gets the signal too, and decides.
  const release = onAbort(io.signal, () => child.kill('SIGINT'));
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', (cause) => reject(new CliError(`${plugin.path}: ${cause.message}`, { cause })));
    child.once('close', (status) => resolve(status ?? 1));
  }).finally(release);
  if (code !== 0) throw new CliError(`${plugin.path} failed`, { exitCode: code, silent: true });
  return true;
}
