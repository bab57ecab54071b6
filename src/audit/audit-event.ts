import type { UserInfo } from '../meta/user-info.ts';
import type { AuditLevel, AuditStage } from './audit-level.ts';

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
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  /** Undefined for non-resource requests. */
  readonly objectRef: ObjectReference | undefined;
  /** Undefined until the response starts. */
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
