import { EtcdError, type EtcdErrorCode } from './etcd-error.ts';

/** An error of etcd or of the gRPC client with a known meaning. */
interface KnownError {
  /** gRPC status code. */
  readonly status: number;
  readonly text: RegExp;
  readonly code: EtcdErrorCode;
}

// etcd uses one status for several errors and distinguishes them only by text (etcd:
// api/v3rpc/rpctypes/error.go). The texts are the same in versions 3.4 to 3.6.
const knownErrors: readonly KnownError[] = [
  { status: 11, text: /required revision has been compacted/, code: 'compacted' },
  { status: 11, text: /required revision is a future revision/, code: 'futureRevision' },
  { status: 5, text: /requested lease not found/, code: 'unknownLease' },
  { status: 3, text: /request is too large/, code: 'tooLarge' },
  { status: 8, text: /message larger than max/, code: 'tooLarge' },
  { status: 8, text: /database space exceeded/, code: 'noSpace' },
  { status: 8, text: /too many requests/, code: 'unavailable' },
  // The alarm CORRUPT refuses all requests.
  { status: 15, text: /corrupt cluster/, code: 'unavailable' },
  { status: 3, text: /auth|user|role|permission/i, code: 'denied' },
  { status: 7, text: /./, code: 'denied' },
  { status: 16, text: /./, code: 'denied' },
  { status: 3, text: /./, code: 'invalid' },
  { status: 12, text: /./, code: 'invalid' },
  // The messages of grpc-js for a call that was never sent; even a write had no effect.
  {
    status: 14,
    text: /No connection established|Name resolution failed|Channel closed before call started/,
    code: 'unavailable',
  },
];

/**
 * Converts an error of etcd3 or grpc-js to an `EtcdError`. After an unknown error the request may
 * have been executed: `unavailable` for a read, `unknownOutcome` for a write.
 */
export function classifyError(error: unknown, kind: 'read' | 'write'): EtcdError {
  if (error instanceof EtcdError) return error;
  const { status, text } = statusOf(error);
  const known = knownErrors.find((row) => row.status === status && row.text.test(text));
  const code = known?.code ?? (kind === 'read' ? 'unavailable' : 'unknownOutcome');
  return new EtcdError(code, `etcd: ${text}`, { cause: error });
}

/**
 * True for a write that was certainly never sent to etcd, so that it may be sent to another member.
 */
export function neverSent(error: EtcdError): boolean {
  return error.code === 'unavailable' && statusOf(error.cause).status === 14;
}

/**
 * etcd3 drops the status from the errors it wraps, but leaves it at the start of the message: `14
 * UNAVAILABLE: ...`, or `Lease 5 NOT_FOUND: ...`.
 */
function statusOf(error: unknown): { readonly status: number | undefined; readonly text: string } {
  const message = error instanceof Error ? error.message : String(error);
  const match = /^(?:Lease )?(\d+) [A-Z_]+: ([\s\S]*)$/.exec(message);
  return match ? { status: Number(match[1]), text: match[2] ?? '' } : { status: undefined, text: message };
}
