import type { JsonValue } from '../meta/json-value.ts';
import { StatusError, type StatusReason } from '../status/status-error.ts';

/**
 * The reason why a patch was refused: `malformed` is not a valid patch, `failed` cannot be applied
 * to this object, `untrue` contains a test that does not hold, `tooLarge` exceeds a limit.
 */
export type PatchErrorKind = 'malformed' | 'failed' | 'untrue' | 'tooLarge';

const reasons: Readonly<Record<PatchErrorKind, StatusReason>> = {
  malformed: 'BadRequest',
  failed: 'Invalid',
  untrue: 'Invalid',
  tooLarge: 'RequestEntityTooLarge',
};

/** The refusal of a patch, as 400, 422 or 413. The message is sent to the client. */
export class PatchError extends StatusError {
  override readonly name = 'PatchError';
  readonly kind: PatchErrorKind;

  constructor(kind: PatchErrorKind, message: string) {
    super(reasons[kind], message);
    this.kind = kind;
  }
}

/** Returns the error for a document of the wrong type, with the message of a Go decoder. */
export function wrongType(value: JsonValue, wanted: string): PatchError {
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : (goTypes[typeof value] ?? typeof value);
  return new PatchError('malformed', `json: cannot unmarshal ${type} into Go value of type ${wanted}`);
}

const goTypes: Readonly<Record<string, string>> = { boolean: 'bool', bigint: 'number' };
