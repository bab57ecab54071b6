import { goQuote } from './go-quote.ts';
import { goStrings } from './go-syntax.ts';

/** Why a field was refused; the `reason` of a cause in a Status (reference: wire, "Field causes"). */
export type FieldErrorReason =
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
 * One refused field. `field` is its path (`spec.rules[0].host`, `data[a b]`), `message` what stands behind the path
 * in the Status: `Invalid value: "x": must be ...`.
 */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
}

/** The longest text of a refused value that is echoed to the client. */
const shownValueLimit = 1024;

/** As kube-apiserver shows it, where that can be told of the value alone: clients know the messages so. */
function shown(value: unknown): string {
  const text = shownWhole(value);
  return text.length > shownValueLimit ? `${text.slice(0, shownValueLimit)}...` : text;
}

function shownWhole(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'bigint') return value.toString();
  // What is missing is shown as a text, and texts are quoted.
  if (value === null || value === undefined) return goQuote('null');
  if (isTexts(value)) return goStrings(value);
  return JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? v.toString() : v)) ?? goQuote('null');
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** A field that must have a value. `detail` adds what was expected. */
export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: detail ? `Required value: ${detail}` : 'Required value' };
}

/** A value of the right type that breaks a rule. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return invalidShown(field, shown(value), detail);
}

/** `invalid`, for a value that messages show in another way than as JSON. */
export function invalidShown(field: string, text: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${text}${detail ? `: ${detail}` : ''}` };
}

/** A value outside an enumeration; `supported` is listed in the message, in the order given. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const list = supported.map(goQuote).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: `Unsupported value: ${shown(value)}${list ? `: supported values: ${list}` : ''}`,
  };
}

/** A field that may not be set, or not changed, in this request. */
export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` };
}

/** A value that may stand only once. */
export function duplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${shown(value)}` };
}

/** A value over a limit in bytes. */
export function tooLong(field: string, limitBytes: number): FieldError {
  return { reason: 'FieldValueTooLong', field, message: `Too long: must have at most ${limitBytes} bytes` };
}

/** A list over a limit in items. */
export function tooMany(field: string, count: number, limit: number): FieldError {
  return {
    reason: 'FieldValueTooMany',
    field,
    message: `Too many: ${count}: must have at most ${limit} items`,
  };
}

/** `duplicate`, for a value that messages show in another way than as JSON. */
export function duplicateShown(field: string, text: string, detail = ''): FieldError {
  const message = `Duplicate value: ${text}${detail ? `: ${detail}` : ''}`;
  return { reason: 'FieldValueDuplicate', field, message };
}

/** A reference whose target does not exist. */
export function notFoundField(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${shown(value)}` };
}
