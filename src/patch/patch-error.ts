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
