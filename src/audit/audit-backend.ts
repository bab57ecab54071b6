import type { MaybePromise } from '../async/maybe-promise.ts';
import type { AuditEvent } from './audit-event.ts';

/** A receiver of audit events. Nothing here throws; a backend counts and logs its failures. */
export interface AuditBackend {
  /** True if no request is served whose first event is not written: the mode is blocking-strict. */
  readonly isStrict: boolean;
  /**
   * Takes an event. False if the request must not be served for that: the event is lost, and the
   * backend is strict. A promise delays the request or its response.
   */
  send(event: AuditEvent): MaybePromise<boolean>;
  /** Writes the events that must be written before a response is sent. */
  flush(): void;
  /** Writes the remaining events, as far as that is possible in a short time. */
  close(): Promise<void>;
}

/** The modes, which decide when a backend writes its events. */
export const auditModes = ['batch', 'blocking', 'blocking-strict'] as const;

/**
 * `batch` writes them later, together; `blocking` before the response is sent; `blocking-strict`
 * does not serve requests of which the first event cannot be written.
 */
export type AuditMode = (typeof auditModes)[number];
