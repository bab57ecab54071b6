import { shownValue } from './shown-value.ts';

/**
 * The `reason` of a field error and of its cause in a Status (reference: wire, "Field causes").
 */
type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueNotFound'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/**
 * An error of one field. `field` is its path (`spec.rules[0].host`, `data[a b]`); `message`
 * follows the path in the Status: `Invalid value: "x": must be ...`.
 */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
  /** The reason in responses, if it is another one. */
  readonly sentAs?: FieldErrorReason;
}

/**
 * An error that formats its message on access: a body can cause thousands of errors, and few are
 * shown.
 */
function fieldError(reason: FieldErrorReason, field: string, write: () => string): FieldError {
  return {
    reason,
    field,
    get message() {
      return write();
    },
  };
}

function withDetail(text: string, detail: string): string {
  return detail ? `${text}: ${detail}` : text;
}

/** The error for a missing value. `detail` adds the expected value. */
export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

/** A value of the right type that breaks a rule. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return fieldError('FieldValueInvalid', field, () => withDetail(`Invalid value: ${shownValue(value)}`, detail));
}

/** An invalid value that the message does not show. */
export function invalidUnshown(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: withDetail('Invalid value', detail) };
}

/** A value of a wrong type. Rules over several values do not run after it. */
export function invalidType(field: string, value: unknown, detail: string): FieldError {
  return fieldError('FieldValueTypeInvalid', field, () => withDetail(`Invalid value: ${shownValue(value)}`, detail));
}

/** A value outside an enumeration; the message lists `supported` in the given order. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  return fieldError('FieldValueNotSupported', field, () => {
    const list = supported.map((text) => JSON.stringify(text)).join(', ');
    return `Unsupported value: ${shownValue(value)}${list ? `: supported values: ${list}` : ''}`;
  });
}

/** A field that must not be set or changed by this request. */
export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` };
}

/** A check that failed, with the reason. */
export function internalError(field: string, detail: string): FieldError {
  return { field, reason: 'InternalError', message: `Internal error: ${detail}` };
}

/** A repeated value. */
export function duplicate(field: string, value: unknown, detail = ''): FieldError {
  return fieldError('FieldValueDuplicate', field, () => withDetail(`Duplicate value: ${shownValue(value)}`, detail));
}

/** A duplicate value that the message does not show. */
export function duplicateUnshown(field: string): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: 'Duplicate value' };
}

/** A value over a limit in bytes. */
export function tooLong(field: string, limitBytes: number): FieldError {
  return { reason: 'FieldValueTooLong', field, message: `Too long: must have at most ${limitBytes} bytes` };
}

/** A list over a limit of items. */
export function tooMany(field: string, count: number, limit: number): FieldError {
  return {
    reason: 'FieldValueTooMany',
    field,
    message: `Too many: ${count}: must have at most ${limit} items`,
  };
}

/** A reference to a missing target. `detail` lists the existing targets. */
export function notFoundField(field: string, value: unknown, detail = ''): FieldError {
  return fieldError('FieldValueNotFound', field, () => withDetail(`Not found: ${shownValue(value)}`, detail));
}
