import type { GenericObject } from '../client/api-object.ts';

/** The resource of an entry. */
export interface RecordedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/** The types of changes, as in watches. */
export const changeTypes = ['ADDED', 'MODIFIED', 'DELETED'] as const;

/** An object of a recording, or a change of it. */
export interface RecordingEntry {
  /** `ADDED` is an object that was there at the start, too. */
  readonly type: (typeof changeTypes)[number];
  /** Milliseconds since the start; 0 for the objects that were there. */
  readonly atMs: number;
  readonly resource: RecordedResource;
  readonly object: GenericObject;
}

/** The key of a resource: `deployments.apps/v1`. */
export function resourceKey({ group, version, resource }: RecordedResource): string {
  return `${resource}.${group}/${version}`;
}
