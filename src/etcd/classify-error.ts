import { EtcdError, type EtcdErrorCode } from './etcd-error.ts';

/** One answer of etcd or of the gRPC client that has a meaning of its own. */
interface KnownError {
  /** gRPC status code. */
  readonly status: number;
  readonly text: RegExp;
  readonly code: EtcdErrorCode;
}

// etcd gives several meanings to one status and tells them apart by text alone (etcd: api/v3rpc/rpctypes/error.go);
// the texts have been the same from 3.4 to 3.6.
const knownErrors: readonly KnownError[] = [
  { status: 11, text: /required revision has been compacted/, code: 'compacted' },
  { status: 11, text: /required revision is a future revision/, code: 'futureRevision' },
  { status: 5, text: /requested lease not found/, code: 'unknownLease' },
  { status: 3, text: /request is too large/, code: 'tooLarge' },
  { status: 8, text: /message larger than max/, code: 'tooLarge' },
  { status: 8, text: /database space exceeded/, code: 'noSpace' },
  { status: 8, text: /too many requests/, code: 'unavailable' },
  { status: 3, text: /auth|user|role|permission/i, code: 'denied' },
  { status: 7, text: /./, code: 'denied' },
  { status: 16, text: /./, code: 'denied' },
  { status: 3, text: /./, code: 'invalid' },
  { status: 12, text: /./, code: 'invalid' },
  // What grpc-js says of a call that never left this process: even a write has surely not happened.
  {
    status: 14,
    text: /No connection established|Name resolution failed|Channel closed before call started/,
    code: 'unavailable',
  },
];

/**
 * Turns what etcd3 or grpc-js threw into an `EtcdError`. All that is not known leaves open whether the request was
 * carried out: no matter for a read, unknown for a write.
 */
export function classifyError(error: unknown, kind: 'read' | 'write'): EtcdError {
  if (error instanceof EtcdError) return error;
  const { status, text } = statusOf(error);
  const known = knownErrors.find((row) => row.status === status && row.text.test(text));
  const code = known?.code ?? (kind === 'read' ? 'unavailable' : 'unknownOutcome');
  return new EtcdError(code, `etcd: ${text}`, { cause: error });
}

/** True for a write that surely never reached etcd, so that it may be sent elsewhere. */
export function neverSent(error: EtcdError): boolean {
  return error.code === 'unavailable' && statusOf(error.cause).status === 14;
}

/**
 * etcd3 drops the status from the errors it wraps, but leaves it in front of their message: `14 UNAVAILABLE: ...`, or
 * `Lease 5 NOT_FOUND: ...`.
 */
function statusOf(error: unknown): { readonly status: number | undefined; readonly text: string } {
  const message = error instanceof Error ? error.message : String(error);
  const match = /^(?:Lease )?(\d+) [A-Z_]+: ([\s\S]*)$/.exec(message);
  return match ? { status: Number(match[1]), text: match[2] ?? '' } : { status: undefined, text: message };
}
