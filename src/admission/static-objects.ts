import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';

/** The objects of an admission plugin that come from files and not from the store. */
export interface StaticObjects {
  /**
   * By plural name of their resource, in the storage version, sorted by name. Another map whenever
   * the files change.
   */
  readonly current: ReadonlyMap<string, readonly JsonObject[]>;
}

/** Finds the static objects of a plugin; undefined if its configuration names no files. */
export type StaticObjectsOf = (plugin: string) => StaticObjects | undefined;

/** The plugins that may have static objects, with the resources of these. */
export const staticResources = {
  MutatingAdmissionPolicy: ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
  MutatingAdmissionWebhook: ['mutatingwebhookconfigurations'],
  ValidatingAdmissionPolicy: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
  ValidatingAdmissionWebhook: ['validatingwebhookconfigurations'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The feature gate of static objects. */
export const staticObjectsGate = 'ManifestBasedAdmissionControlConfig';

/** The end of the names of static objects, which no other object may have. */
export function staticSuffix({ apiDomain }: Pick<Identifiers, 'apiDomain'>): string {
  return `.static.${apiDomain}`;
}
