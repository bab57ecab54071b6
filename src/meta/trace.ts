/** Takes the steps of a request for its trace: time and decision of each. */
export interface Trace {
  /** `name` consists of the kind of the step and its name: `webhook.admit.quota.example.com`. */
  add(name: string, durationMs: number, decision: string): void;
}

/** The lowest audit level at which an annotation of a request is recorded. */
export type AnnotationLevel = 'Metadata' | 'Request';
