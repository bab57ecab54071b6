import type { JsonValue } from '../meta/json-value.ts';
import { StatusError, type StatusReason } from '../status/status-error.ts';

/**
 * Why a patch was refused: `malformed` is no patch at all, `failed` does not apply to this object, `tooLarge` would
 * cost more than a request may.
 */
export type PatchErrorKind = 'malformed' | 'failed' | 'tooLarge';

const reasons: Readonly<Record<PatchErrorKind, StatusReason>> = {
  malformed: 'BadRequest',
  failed: 'Invalid',
  tooLarge: 'RequestEntityTooLarge',
};

/** The refusal of a patch: 400, 422 or 413. The message is shown to the client. */
export class PatchError extends StatusError {
  override readonly name = 'PatchError';
  readonly kind: PatchErrorKind;

  constructor(kind: PatchErrorKind, message: string) {
    super(reasons[kind], message);
    this.kind = kind;
  }
}

/** A document of another type than the patch needs, in the words in which a Go decoder says so. */
export function wrongType(value: JsonValue, wanted: string): PatchError {
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : (goTypes[typeof value] ?? typeof value);
  return new PatchError('malformed', `json: cannot unmarshal ${type} into Go value of type ${wanted}`);
}

const goTypes: Readonly<Record<string, string>> = { boolean: 'bool', bigint: 'number' };
