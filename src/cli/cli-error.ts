import type { Status } from '../client/api-object.ts';
import { isNonStatusResponse, StatusError } from '../client/error-of-response.ts';
import { certificateHint } from './certificate-hint.ts';
import { visibleText } from './format-rows.ts';

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
const nonApiHint = 'is this the address of an API server? See "server" in the client config';

/**
 * Formats any error: a refusal of the server as kubectl does, `Error from server (NotFound): ...`,
 * with a line for each cause of an invalid object if it has several; others as `error: ...`.
 */
export function errorLine(error: unknown): string {
  const hint = hintOf(error);
  return (isRefusal(error) ? refusalText(error.status) : failureText(error)) + (hint ? ` (${hint})` : '');
}

function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `error: ${inOneLine(message)}`;
}

function inOneLine(text: string): string {
  return visibleText(text.replaceAll(/\s*\n\s*/g, '; '));
}

/** Reports that no server answered: what follows would fail in the same way. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof StatusError && error.code === 0;
}

function isRefusal(error: unknown): error is StatusError {
  return error instanceof StatusError && error.code !== 0 && !isNonStatusResponse(error);
}

/** A reader needs no more of the causes of one refusal. */
const shownCauses = 100;

function refusalText({ reason, message = '', details }: Status): string {
  if (reason === 'Unauthorized') return 'error: You must be logged in to the server (Unauthorized)';
  const { causes: all = [] } = details ?? {};
  const causes = all.slice(0, shownCauses).map((cause) => inOneLine(`${cause.field ?? ''}: ${cause.message ?? ''}`));
  if (all.length > shownCauses) causes.push(`and ${all.length - shownCauses} more`);
  if (reason !== 'Invalid' || !details || causes.length === 0) {
    return `Error from server${reason ? ` (${reason})` : ''}: ${inOneLine(message)}`;
  }
  const named = `The ${details.kind ?? 'object'} ${JSON.stringify(details.name ?? '')} is invalid: `;
  const [first = '', ...others] = causes;
  return (
    visibleText(named).trimEnd() + (others.length === 0 ? ` ${first}` : causes.map((cause) => `\n* ${cause}`).join(''))
  );
}

function hintOf(error: unknown): string {
  if (error instanceof CliError) return error.hint;
  const certificate = certificateHint(error);
  if (certificate !== undefined) return certificate;
  if (isNonStatusResponse(error)) return nonApiHint;
  if (isTimeout(error)) return 'the server is busy or does not answer; --request-timeout sets how long to wait';
  const reason = error instanceof Error && 'reason' in error ? String(error.reason) : '';
  return Object.hasOwn(hints, reason) ? (hints[reason] ?? '') : '';
}

/** A connection was made or tried, and then nothing came. */
function isTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ETIMEDOUT';
}
