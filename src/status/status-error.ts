import { collectedErrorLimit } from './all-errors.ts';
import type { FieldError } from './field-error.ts';
import { cutText } from './shown-value.ts';

/** Reasons of a failed Status and the HTTP code each stands for (reference: wire, "Status"). */
const statusCodes = Object.freeze({
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
});

/** The machine-readable reason of a failed Status. */
export type StatusReason = keyof typeof statusCodes;

/** One cause inside `details.causes`; clients branch on its reason. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** `details` of a Status. `kind` is a resource name (`ingresses`) except where the API says the kind. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** What identifies the thing that a Status speaks of: a resource, or a kind in the same shape. */
export interface StatusSubject {
  readonly group: string;
  readonly resource: string;
}

interface StatusErrorOptions {
  readonly details?: StatusDetails;
  /** The HTTP code where it is not the one the reason stands for (a webhook's choice). */
  readonly code?: number;
  /** A token that continues an expired list; sent as `metadata.continue`. */
  readonly continueToken?: string;
  readonly cause?: unknown;
}

/** Characters of the longest message; JSON takes at most six bytes for each, and no refusal is larger than 1 MB. */
const messageLimit = 160 * 1024;

/**
 * The error that is the wire Status: thrown anywhere above the store, turned into bytes by one HTTP filter. Its
 * message is shown to the client and must never hold a secret.
 */
export class StatusError extends Error {
  readonly reason: StatusReason | '';
  readonly code: number;
  readonly details: StatusDetails | undefined;
  readonly continueToken: string | undefined;

  /** A reason '' stands for a failure that the API has no word for; its code is 500 unless another is given. */
  constructor(reason: StatusReason | '', message: string, options: StatusErrorOptions = {}) {
    super(cutText(message, messageLimit), { cause: options.cause });
    this.name = 'StatusError';
    this.reason = reason;
    this.code = options.code ?? (reason === '' ? statusCodes.InternalError : statusCodes[reason]);
    this.details = options.details;
    this.continueToken = options.continueToken;
  }
}

/** `ingresses.networking.cl.io`, or `secrets` in the core group: how messages name a resource. */
export function qualified(subject: StatusSubject): string {
  return subject.group ? `${subject.resource}.${subject.group}` : subject.resource;
}

function detailsOf(subject: StatusSubject, name: string): StatusDetails {
  return {
    ...(name ? { name: cutText(name) } : {}),
    ...(subject.group ? { group: subject.group } : {}),
    ...(subject.resource ? { kind: subject.resource } : {}),
  };
}

/** 404 for a named object. */
export function notFound(subject: StatusSubject, name: string): StatusError {
  return new StatusError('NotFound', `${qualified(subject)} "${name}" not found`, {
    details: detailsOf(subject, name),
  });
}

/** 404 for a path that leads to no resource. */
export function notServed(): StatusError {
  return new StatusError('NotFound', 'the server could not find the requested resource', { details: {} });
}

/** 409 for a create of a name that is taken. */
export function alreadyExists(subject: StatusSubject, name: string): StatusError {
  return new StatusError('AlreadyExists', `${qualified(subject)} "${name}" already exists`, {
    details: detailsOf(subject, name),
  });
}

/** 409 for a write whose precondition no longer holds; `message` says which. */
export function conflict(subject: StatusSubject, name: string, message: string): StatusError {
  return new StatusError('Conflict', `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${message}`, {
    details: detailsOf(subject, name),
  });
}

/** The message of a conflict on resourceVersion; clients match on it. */
export const modifiedMessage =
  'the object has been modified; please apply your changes to the latest version and try again';

/** 405 for a verb that the resource does not have. */
export function methodNotAllowed(): StatusError {
  return new StatusError('MethodNotAllowed', 'the server does not allow this method on the requested resource', {
    details: {},
  });
}

/** 400 with a message. */
export function badRequest(message: string): StatusError {
  return new StatusError('BadRequest', message);
}

/** Errors that an answer shows; the rest are counted. */
const shownErrorLimit = 100;

/** Errors that are written to find those to show, which are not all the same. Writing every error would take too long. */
const writtenErrorLimit = 1000;

/** Characters of the longest text of a cause. */
const causeTextLimit = 2 * 1024;

/** Bytes of all causes together, as JSON; the message repeats them. */
const causesLimitBytes = 150 * 1024;

/**
 * 422 with the refused fields, at most a hundred of them and the number of the others. Each mistake is reported once, at the
 * place of its first error: rules of a kind may find what those of every kind have found. `subject.resource` is the kind here
 * (`Secret`), as in the API. One error is written plainly, several in brackets.
 */
export function invalidObject(subject: StatusSubject, name: string, errors: readonly FieldError[]): StatusError {
  const { causes, left } = shownCauses(errors);
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  if (left > 0) texts.push(moreErrors(errors.length, left));
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new StatusError('Invalid', `${qualified(subject)} "${cutText(name)}" is invalid: ${list}`, {
    details: { ...detailsOf(subject, name), causes },
  });
}

/** 403 for an action on an object that the object's own rules forbid; `why` ends the message. */
export function forbiddenObject(subject: StatusSubject, name: string, why: string): StatusError {
  return new StatusError('Forbidden', `${qualified(subject)} ${JSON.stringify(name)} is forbidden: ${why}`, {
    details: detailsOf(subject, name),
  });
}

/** The first causes, without repeats, and how many errors come after them. */
function shownCauses(errors: readonly FieldError[]): { causes: readonly StatusCause[]; left: number } {
  const causes = new Map<string, StatusCause>();
  let [looked, length] = [0, 0];
  for (const { reason, message, field } of errors.slice(0, writtenErrorLimit)) {
    const cause = { reason, message: cutText(message, causeTextLimit), field: cutText(field, causeTextLimit) };
    const key = JSON.stringify(cause);
    if (!causes.has(key)) {
      length += Buffer.byteLength(key);
      if (causes.size === shownErrorLimit || length > causesLimitBytes) break;
      causes.set(key, cause);
    }
    looked += 1;
  }
  return { causes: [...causes.values()], left: errors.length - looked };
}

/** The number of errors that are not shown; collecting stops at a limit. */
function moreErrors(count: number, left: number): string {
  const atLeast = count >= collectedErrorLimit ? 'at least ' : '';
  return `and ${atLeast}${left} more`;
}
