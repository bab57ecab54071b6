import { collectedErrorLimit } from './all-errors.ts';
import type { FieldError } from './field-error.ts';
import { cutText } from './shown-value.ts';

/** The reasons of a failed Status with their HTTP codes (reference: wire, "Status"). */
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

/** The reasons that a code alone implies. Others, such as 500, are sent by any kind of server. */
const impliedReasons: ReadonlyMap<number, StatusReason> = new Map(
  (
    [
      'BadRequest',
      'Unauthorized',
      'Forbidden',
      'NotFound',
      'MethodNotAllowed',
      'NotAcceptable',
      'Conflict',
      'Gone',
      'RequestEntityTooLarge',
      'UnsupportedMediaType',
      'Invalid',
      'TooManyRequests',
      'ServiceUnavailable',
      'Timeout',
    ] as const
  ).map((reason) => [statusCodes[reason], reason]),
);

/** The reason of an error response that names none; undefined if its code implies none. */
export function reasonOfCode(code: number): StatusReason | undefined {
  return impliedReasons.get(code);
}

/** One cause in `details.causes`; clients branch on its reason. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/**
 * `details` of a Status. `kind` is a resource name (`ingresses`) unless the API has the kind
 * there.
 */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The resource, or kind, that a Status is about. */
export interface StatusSubject {
  readonly group: string;
  readonly resource: string;
}

/** `metadata` of a Status. */
export interface StatusMetadata {
  readonly selfLink?: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface StatusErrorOptions {
  readonly details?: StatusDetails;
  /** The HTTP code if it differs from the code of the reason (a webhook's choice). */
  readonly code?: number;
  /** A reason that is not one of the API, in its place (a webhook's choice). */
  readonly reason?: string;
  /** The token that continues an expired list, or the metadata that a webhook chose. */
  readonly metadata?: StatusMetadata;
  readonly cause?: unknown;
}

/**
 * Maximum length of a message in characters. JSON takes at most six bytes for each, so that no
 * error response exceeds 1 MB.
 */
const messageLimit = 160 * 1024;

/**
 * The error that becomes the Status on the wire: thrown anywhere above the store, serialized by
 * one HTTP filter. Clients see its message, which must not contain secrets.
 */
export class StatusError extends Error {
  /** One of the API, '' or another server's. */
  readonly reason: string;
  readonly code: number;
  readonly details: StatusDetails | undefined;
  readonly metadata: StatusMetadata;

  /**
   * The reason '' is for failures without a reason in the API; the code is then 500 unless given.
   */
  constructor(reason: StatusReason | '', message: string, options: StatusErrorOptions = {}) {
    super(cutText(message, messageLimit), { cause: options.cause });
    this.name = 'StatusError';
    this.reason = options.reason ?? reason;
    this.code = options.code ?? (reason === '' ? statusCodes.InternalError : statusCodes[reason]);
    this.details = options.details;
    this.metadata = options.metadata ?? {};
  }
}

/**
 * The name of a resource in messages: `ingresses.networking.cl.io`, or `secrets` in the core
 * group.
 */
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

/** 404 for a path without resource. */
export function notServed(): StatusError {
  return new StatusError('NotFound', 'the server could not find the requested resource', { details: {} });
}

/** 409 for a create with an existing name. */
export function alreadyExists(subject: StatusSubject, name: string): StatusError {
  return new StatusError('AlreadyExists', `${qualified(subject)} "${name}" already exists`, {
    details: detailsOf(subject, name),
  });
}

/** 409 for a write whose precondition fails; `message` says which. */
export function conflict(subject: StatusSubject, name: string, message: string): StatusError {
  return new StatusError('Conflict', `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${message}`, {
    details: detailsOf(subject, name),
  });
}

/** The message of a resourceVersion conflict; clients match on it. */
export const modifiedMessage =
  'the object has been modified; please apply your changes to the latest version and try again';

/** 405 for a verb that the resource does not support. */
export function methodNotAllowed(): StatusError {
  return new StatusError('MethodNotAllowed', 'the server does not allow this method on the requested resource', {
    details: {},
  });
}

/** 400 with a message. */
export function badRequest(message: string): StatusError {
  return new StatusError('BadRequest', message);
}

/** Maximum of errors in a response; the others are counted. */
const shownErrorLimit = 100;

/**
 * Maximum of errors that are formatted to find the distinct ones. Formatting all could take too
 * long.
 */
const writtenErrorLimit = 1000;

/** Maximum length of a text in a cause, in characters. */
const causeTextLimit = 2 * 1024;

/** Limit of all causes together, in bytes of JSON; the message repeats them. */
const causesLimitBytes = 150 * 1024;

/**
 * 422 with at most a hundred field errors and the number of the others. Equal errors are reported
 * once, at the position of the first: rules of a kind can repeat generic ones. `subject.resource`
 * is the kind here (`Secret`), as in the API. A single error stands alone, several are in brackets.
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

/** 403 for an action that the object's own rules forbid; `why` ends the message. */
export function forbiddenObject(subject: StatusSubject, name: string, why: string): StatusError {
  return new StatusError('Forbidden', `${qualified(subject)} ${JSON.stringify(name)} is forbidden: ${why}`, {
    details: detailsOf(subject, name),
  });
}

/** The first distinct causes, and the number of errors after them. */
function shownCauses(errors: readonly FieldError[]): { causes: readonly StatusCause[]; left: number } {
  const causes = new Map<string, StatusCause>();
  let [looked, length] = [0, 0];
  for (const { reason, message, field, sentAs } of errors.slice(0, writtenErrorLimit)) {
    const cause = {
      reason: sentAs ?? reason,
      message: cutText(message, causeTextLimit),
      field: cutText(field, causeTextLimit),
    };
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

/** Formats the number of errors not shown; at the collection limit it is a lower bound. */
function moreErrors(count: number, left: number): string {
  const atLeast = count >= collectedErrorLimit ? 'at least ' : '';
  return `and ${atLeast}${left} more`;
}
