/**
 * The reason why a call to etcd failed.
 * - `compacted`: the revision is compacted; `revision` is the oldest that is left, if known.
 * - `futureRevision`: the revision does not exist yet; `revision` is the newest, if known.
 * - `unavailable`: no member answered, and nothing was changed.
 * - `unknownOutcome`: the response to a write was lost; it may have been or may yet be executed.
 * - `sessionEnded`: another connection would have been needed; nothing was sent.
 * - `unknownLease`: the lease of a key does not exist; nothing was written.
 * - `tooLarge`, `noSpace`: etcd refuses this value, or any.
 * - `denied`: etcd does not accept these credentials, or not for this key.
 * - `invalid`: etcd does not understand the request.
 * - `revisionRegressed`: the revision decreased or the cluster changed (a restored backup, for
 *   example). Thrown once to the call that detects it, and to every watch; afterwards the new state
 *   is valid.
 */
export type EtcdErrorCode =
  | 'compacted'
  | 'futureRevision'
  | 'unavailable'
  | 'unknownOutcome'
  | 'sessionEnded'
  | 'unknownLease'
  | 'tooLarge'
  | 'noSpace'
  | 'denied'
  | 'invalid'
  | 'revisionRegressed';

/** The only error class of this folder; callers branch on `code`. */
export class EtcdError extends Error {
  readonly code: EtcdErrorCode;
  readonly revision: number | undefined;

  constructor(
    code: EtcdErrorCode,
    message: string,
    details: { readonly revision?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'EtcdError';
    this.code = code;
    this.revision = details.revision;
  }
}
