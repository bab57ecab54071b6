/**
 * What went wrong between this process and etcd.
 * - `compacted`: the revision is gone; `revision` is the oldest that is left, where known.
 * - `futureRevision`: the revision has not been reached; `revision` is the newest, where known.
 * - `unavailable`: nobody answered, and nothing was changed.
 * - `unknownOutcome`: a write was sent, and its answer is lost: it may have happened, or may yet happen.
 * - `unknownLease`: the lease that a key was to have is gone; nothing was written.
 * - `tooLarge`, `noSpace`: etcd refuses the value, or all values.
 * - `denied`: etcd does not accept these credentials, or not for this key.
 * - `invalid`: a request that etcd does not understand.
 * - `revisionRegressed`: etcd is not the one it was: its revision went back or its cluster is another one (restored
 * from a
 *   backup, say). Told once to the call that notices and to every watch; from then on the new state counts.
 */
export type EtcdErrorCode =
  | 'compacted'
  | 'futureRevision'
  | 'unavailable'
  | 'unknownOutcome'
  | 'unknownLease'
  | 'tooLarge'
  | 'noSpace'
  | 'denied'
  | 'invalid'
  | 'revisionRegressed';

/** The one error of this folder; callers branch on `code`. */
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
