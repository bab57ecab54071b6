import { spawn } from 'node:child_process';
import { isatty } from 'node:tty';
import type { ExecSettings } from '../config/connection-settings.ts';
import { CredentialError } from '../config/credential-source.ts';
import { execInput, readExecCredential, type ExecCredential } from '../config/exec-credential.ts';

/** The output of a command; one that prints more is ended. */
const outputLimitBytes = 1024 * 1024;

/** The end of the errors of a command, which is shown. */
const shownErrorLength = 1000;

/** The longest time of a command. */
interface ExecLimits {
  /** The limit of a command that does not ask the user. */
  readonly silentMs: number;
  /** The limit of a command that may ask the user. */
  readonly interactiveMs: number;
}

/** The process from which a command is run; tests replace it. */
interface ExecContext {
  readonly isTerminal: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly limits: ExecLimits;
}

/** The context of this process. */
const processExecContext: ExecContext = Object.freeze({
  isTerminal: isatty(0),
  env: process.env,
  limits: { silentMs: 60_000, interactiveMs: 600_000 },
});

/**
 * Runs the command of a client config without a shell, and reads the credentials that it prints.
 * It has the standard input if that is a terminal and the mode allows it. Throws CredentialError.
 */
export async function runExecPlugin(settings: ExecSettings, context = processExecContext): Promise<ExecCredential> {
  const { interactiveMode } = settings;
  const interactive = interactiveMode !== 'Never' && context.isTerminal;
  if (interactiveMode === 'Always' && !interactive) {
    throw new CredentialError('exec plugin cannot support interactive mode: standard input is not a terminal');
  }
  return readExecCredential(await outputOf(settings, interactive, context), settings);
}

function outputOf(settings: ExecSettings, interactive: boolean, context: ExecContext): Promise<string> {
  const { command, args, env } = settings;
  const input = execInput(settings, interactive);
  const own = Object.fromEntries([...env, input].map(({ name, value }) => [name, value]));
  const child = spawn(command, args, {
    env: { ...context.env, ...own },
    shell: false,
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'inherit' : 'pipe'],
  });
  const { limits } = context;
  // The timer of spawn outlives a command that cannot be started, and keeps the process alive.
  const timer = setTimeout(() => child.kill('SIGKILL'), interactive ? limits.interactiveMs : limits.silentMs);
  child.on('exit', () => clearTimeout(timer));
  const chunks: Buffer[] = [];
  let [bytes, errors] = [0, ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= outputLimitBytes) chunks.push(chunk);
    else child.kill('SIGKILL');
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-shownErrorLength);
  });
  return new Promise((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(startError(settings, error));
    });
    child.on('close', (code, signal) => {
      if (bytes > outputLimitBytes) reject(new CredentialError(`exec: executable ${command} printed too much`));
      else if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else
        reject(
          new CredentialError(`exec: executable ${command} ${endOf(code, signal)}${errors && `: ${errors.trim()}`}`),
        );
    });
  });
}

function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  return code === null ? `was ended with ${String(signal)}` : `failed with exit code ${code}`;
}

function startError({ command, installHint }: ExecSettings, error: NodeJS.ErrnoException): CredentialError {
  const why = error.code === 'ENOENT' ? 'not found' : `cannot be started (${error.code ?? error.message})`;
  const hint = installHint ? `\n\n${installHint}` : '';
  return new CredentialError(`exec: executable ${command} ${why}${hint}`, { cause: error });
}
