import type { JsonObject } from '../../../src/meta/json-value.ts';

/** The numbers that an input is made from, by their names. */
export type Sizes = Readonly<Record<string, number>>;

/** One request. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer;
  readonly contentType?: string;
  readonly accept?: string;
  /** Ends a watch: no more is read of its response after this time. */
  readonly readForMs?: number;
}

/** The address of a webhook whose answers are part of an input. */
export interface Hook {
  readonly url: string;
  readonly caBundle: string;
}

/** What a shape needs around its request: a kind of its own, and requests whose work does not count. */
export interface PreparedInput {
  readonly definition?: JsonObject;
  readonly before?: readonly SentRequest[];
  readonly request: SentRequest;
  /** Removes what is neither the definition nor an object of it. */
  readonly after?: readonly SentRequest[];
  /** The answer of the webhook to a review. */
  readonly answer?: (review: string) => string;
}

/** Inputs of one language that can grow. */
export interface Shape {
  /** The language, and how the input expands. */
  readonly name: string;
  /** The sizes that the search begins with. */
  readonly start: Sizes;
  /** Makes an input. `group` is a name of its own for a kind. */
  readonly make: (sizes: Sizes, group: string, hook: Hook) => PreparedInput;
}
