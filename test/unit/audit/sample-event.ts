import type { AuditEvent } from '../../../src/audit/audit-event.ts';

/** An event of a request that only reads, with some fields changed. */
export function sampleEvent(changed: Partial<AuditEvent> = {}): AuditEvent {
  return {
    level: 'Metadata',
    auditId: 'one',
    stage: 'ResponseComplete',
    requestUri: '/',
    verb: 'get',
    user: undefined,
    impersonatedUser: undefined,
    impersonationConstraint: '',
    sourceIps: [],
    userAgent: '',
    objectRef: undefined,
    responseStatus: undefined,
    requestObject: undefined,
    responseObject: undefined,
    receivedMicros: 0,
    stageMicros: 0,
    annotations: [],
    ...changed,
  };
}
