import type { UserInfo } from '../meta/user-info.ts';
import { formatTime } from '../meta/time.ts';

/** Formats microseconds since 1970 as a time of RFC 3339 with six digits of a second. */
export function microTime(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  return `${formatTime(seconds * 1000).slice(0, -1)}.${String(micros - seconds * 1e6).padStart(6, '0')}Z`;
}

/** The clocks may differ by this much before the monotonic one is corrected. */
const toleratedDriftMs = 5;

/**
 * Returns the time of a value of `performance.now()` in microseconds since 1970. The monotonic
 * clock is finer than `Date.now()`, but does not follow corrections of the system's clock.
 */
export function microsAt(performanceMs: number): number {
  const { timeOrigin } = performance;
  const driftMs = Date.now() - (timeOrigin + performance.now());
  const correctionMs = Math.abs(driftMs) > toleratedDriftMs ? driftMs : 0;
  return Math.round((timeOrigin + performanceMs + correctionMs) * 1000);
}

/** The levels of detail, in ascending order. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;

/** How much of a request is recorded. */
export type AuditLevel = (typeof auditLevels)[number];

/** The points of a request at which an event is recorded, in the order of kube-apiserver. */
export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;

/**
 * A point of a request. `ResponseStarted` is recorded for long-running requests only, and for those
 * that are refused before their user is known.
 */
export type AuditStage = (typeof auditStages)[number];

/** The object or collection of a request, as far as it is known. Empty fields are left out. */
export interface ObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** The parts of a Status that are recorded. They never contain parts of an object. */
export interface ResponseStatus {
  readonly status?: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly code: number;
}

/** An event of a request, independent of the format in which it is written. Immutable. */
export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  /** The authenticated user; undefined if authentication failed. */
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  /**
   * The constrained verb that allowed the impersonation, `impersonate:user-info`; '' without one.
   */
  readonly impersonationConstraint: string;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  /** The object of the request; undefined for non-resource requests. */
  readonly objectRef: ObjectReference | undefined;
  /** The status of the response; undefined until the response starts. */
  readonly responseStatus: ResponseStatus | undefined;
  /** The object of the request, as compact JSON; from level Request on. */
  readonly requestObject: string | undefined;
  /** The object of the response, as compact JSON; at level RequestResponse. */
  readonly responseObject: string | undefined;
  /** Microseconds since 1970, as below. */
  readonly receivedMicros: number;
  readonly stageMicros: number;
  /** Names and values alternately, in the order of names. */
  readonly annotations: readonly string[];
}
