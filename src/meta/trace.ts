/** Takes the steps of a request for its trace: time and decision of each. */
export interface Trace {
  /** True if it takes the plugins too that the resource of a write does not concern. */
  readonly everyPlugin: boolean;
  /** `name` consists of the kind of the step and its name: `webhook.admit.quota.example.com`. */
  add(name: string, durationMs: number, decision: string): void;
}

/** Takes the steps of a request at their end, for the log of a slow one. */
export interface StepLog {
  /** The ID of the request in lines of the log and in audit records. */
  readonly auditId: string;
  /** `name` says what has been done. It is a text of the program, and shows no value. */
  step(name: string): void;
}

/** The lowest audit level at which an annotation of a request is recorded. */
export type AnnotationLevel = 'Metadata' | 'Request';
