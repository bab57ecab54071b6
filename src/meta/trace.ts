/** Takes the steps of a request for its trace: time and decision of each. */
export interface Trace {
  /** True if the trace also shows plugins that do nothing for the resource of a write. */
  readonly everyPlugin: boolean;
  /** `name` consists of the kind of the step and its name: `webhook.admit.quota.example.com`. */
  add(name: string, durationMs: number, decision: string): void;
}

/** Collects the steps of a request as they end, for the log of slow requests. */
export interface StepLog {
  /** The ID of the request in log lines and audit events. */
  readonly auditId: string;
  /** Adds a step that has ended. `name` is a constant text, without values of the request. */
  step(name: string): void;
}

/** The lowest audit level at which an annotation of a request is recorded. */
export type AnnotationLevel = 'Metadata' | 'Request';
