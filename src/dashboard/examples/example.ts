import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';

/** An object to begin with. */
export interface Example {
  /** The purpose of the example, in a few words. */
  readonly title: string;
  /** Returns the object without its type; it is created in the namespace of the page. */
  readonly body: (identifiers: Identifiers) => JsonObject;
}

/** Examples by the group without its domain and the resource: `apps/deployments`, `/pods`. */
export type Examples = Readonly<Record<string, readonly Example[]>>;

/** An example with a name and its other fields. */
export function example(title: string, name: string, fields: JsonObject = {}): Example {
  return { title, body: () => ({ metadata: { name }, ...fields }) };
}
