import { spawn } from 'node:child_process';
import { identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';

/** `$CL_EDITOR`, and its name in the other set, before the editor of all programs. */
const variables = [
  ...identifierSets.map((set) => `${identifiersOf(set).prefix.toUpperCase().replace('-', '_')}EDITOR`),
  'EDITOR',
];

const usual = 'vi';

/** The exit code of a shell that does not find a program. */
const notFound = 127;

/**
 * Opens a file in the editor of the user, and waits until that ends. Throws `CliError` if it fails.
 */
export async function openEditor(path: string, io: CliIo): Promise<void> {
  const editor = variables.map((name) => io.env[name]?.trim()).find(Boolean) ?? usual;
  const code = await runEditor(editor, path, io);
  if (code === 0) return;
  const hint = `set ${variables.map((name) => `$${name}`).join(' or ')} to another`;
  if (code === notFound) throw new CliError(`unable to launch the editor "${editor}"`, { hint });
  throw new CliError(`there was a problem with the editor "${editor}": it ended with code ${code}`, { hint });
}

function runEditor(editor: string, path: string, io: CliIo): Promise<number> {
  const { directory, env, signal, stdout, stderr } = io;
  const isOwnTerminal = 'fd' in stdout && stdout.fd === process.stdout.fd;
  return new Promise((resolve, reject) => {
    // The editor is a shell command, as in `code --wait`.
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], {
      cwd: directory,
      env: { ...env },
      signal,
      stdio: isOwnTerminal ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.pipe(stdout, { end: false });
    child.stderr?.pipe(stderr, { end: false });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
