import { isForeignAnswer } from '../client/status-error.ts';
import { certificateHint } from './certificate-hint.ts';

/** A failure reported in one line: the message and, in `hint`, the next step. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly hint: string;
  /** True if the output says it already: only the exit code is missing. */
  readonly silent: boolean;
  /** 1, but for commands that say more by it. */
  readonly exitCode: number;

  constructor(
    message: string,
    options: {
      readonly hint?: string;
      readonly exitCode?: number;
      readonly silent?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.hint = options.hint ?? '';
    this.silent = options.silent ?? false;
    this.exitCode = options.exitCode ?? 1;
  }
}

/** Hints for error responses, by reason. */
const hints: Readonly<Record<string, string>> = {
  Unreachable: 'start a server with "cl up", or name another with --clientconfig',
  Unauthorized: 'the server does not accept these credentials; choose others with --clientconfig or --context',
  TooManyRequests: 'the server is busy; try again',
  ServiceUnavailable: 'the server is not ready; try again',
};

/** The hint for a response that no API server sends. */
const foreignHint = 'is this the address of an API server? See "server" in the client config';

/** Formats any error as one line. */
export function errorLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = hintOf(error);
  return `error: ${message.replaceAll(/\s*\n\s*/g, '; ')}${hint ? ` (${hint})` : ''}`;
}

function hintOf(error: unknown): string {
  if (error instanceof CliError) return error.hint;
  const certificate = certificateHint(error);
  if (certificate !== undefined) return certificate;
  if (isForeignAnswer(error)) return foreignHint;
  const reason = error instanceof Error && 'reason' in error ? String(error.reason) : '';
  return Object.hasOwn(hints, reason) ? (hints[reason] ?? '') : '';
}
