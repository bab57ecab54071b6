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
