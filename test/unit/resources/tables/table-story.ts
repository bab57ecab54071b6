import type { JsonObject } from '../../../../src/meta/json-value.ts';

/** Objects of a kind, and how kube-apiserver 1.36 shows them in Tables. */
export interface TableStory {
  readonly collection: string;
  /** Name, type, and where they are set format and `wide`. */
  readonly columns: readonly string[];
  readonly rows: readonly StoryRow[];
}

/** An object, what is written to its sub-resources, and its row. */
export interface StoryRow {
  readonly name: string;
  /** Everything but kind, apiVersion and name. */
  readonly object?: JsonObject;
  /** The conditions that are written to the sub-resource approval. */
  readonly approval?: JsonObject;
  readonly status?: JsonObject;
  /** True for an object that waits for its finalizers. */
  readonly deleted?: true;
  readonly cells: readonly StoryCell[];
  readonly conditions?: readonly JsonObject[];
}

/** The value of a cell, or the time that it shows. */
export type StoryCell = string | number | boolean | Since;

/** A cell with the time since a timestamp. */
interface Since {
  readonly since: string;
}

/** A cell with the age of the object. */
export const age: Since = { since: 'creation' };

/** A cell with the time at which the object was created. */
export const created: Since = { since: '' };

/** A cell with the time since a timestamp. */
export function since(timestamp: string): Since {
  return { since: timestamp };
}
