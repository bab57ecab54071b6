import type { JsonValue } from '../../src/meta/json-value.ts';
import type { JsonPath } from './json-paths.ts';

/** The methods that are sent. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One request, as data. Its texts may hold placeholders (`{{name}}`) that are filled with what each server answered before:
 * `{{ns}}` and `{{name}}` are the sequence's own, `{{uid}}` and `{{rv}}` those of the last object that was answered, and
 * `{{a.uid}}`, `{{a.rv}}` and `{{a.continue}}` those of the step that remembers as `a`.
 */
export interface SequenceStep {
  readonly method: Method;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  readonly userAgent?: string;
  /** Content type of the body; JSON without one. */
  readonly type?: string;
  readonly body?: JsonValue;
  /** The body as text, where it is no JSON. */
  readonly text?: string;
  /** The body is the live object with these changes; `body` is sent where there is no object. */
  readonly edits?: readonly Edit[];
  readonly remember?: string;
  /** A collection that can be read, and has its new schema, when the step has taken effect. */
  readonly until?: string;
  /** The body depends on chance in the reference: it is not compared. */
  readonly anyBody?: boolean;
  /**
   * The object that the step is about, where it does not depend on steps about other objects: after a difference the object
   * is deleted at both servers, and the sequence goes on. A sequence ends with a difference in a step without it.
   */
  readonly object?: string;
}

/** A change to a live object: a value that is set at a path, or removed without one. */
export interface Edit {
  readonly path: JsonPath;
  readonly value?: JsonValue;
}

/** A collection that is watched while a sequence runs. */
export interface WatchedCollection {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Creates the object whose event shows that all events before it have come. */
  readonly last: SequenceStep;
}

/** Requests that follow on one another, and belong to one area and one kind. */
export interface Sequence {
  readonly area: string;
  readonly kind: string;
  readonly steps: readonly SequenceStep[];
  readonly watch?: WatchedCollection;
  /** Paths of objects outside the sequence's namespace, to be deleted at the end. */
  readonly leftovers: readonly string[];
}
