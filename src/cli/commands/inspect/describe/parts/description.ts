import type { JsonObject } from '../../../../../meta/json-value.ts';

/** The data of sections besides the object. */
export interface Facts {
  readonly nowMs: number;
  /** The objects of each need by its name; undefined if the server refused them. */
  readonly related: Readonly<Record<string, readonly JsonObject[] | undefined>>;
}

/** A part of a description: its lines, with cells that end with tabs. */
export type Section = (object: JsonObject, facts: Facts) => readonly string[];

/** Objects that belong to the described one. */
export interface Need {
  /** Without the domain of the server's own groups: `apps`, `discovery`, '' for core. */
  readonly group: string;
  readonly resource: string;
  /**
   * The objects to list; undefined if there are none. `prefix` begins the names of system objects.
   */
  readonly select: (object: JsonObject, prefix: string) => Selection | undefined;
}

/** A name, or the selectors of a list. */
export interface Selection {
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** How the objects of a kind are described. */
export interface Description {
  readonly sections: readonly Section[];
  readonly needs?: Readonly<Record<string, Need>>;
  /** How Events refer to the object; `none` leaves them out. The default is kind and UID. */
  readonly events?: 'none' | 'uid' | 'name-or-uid';
}
