import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';

/** The objects of an admission plugin that come from manifest files instead of the store. */
export interface StaticObjects {
  /**
   * The objects by the plural name of their resource, in the storage version, sorted by name. The
   * map is replaced whenever the files change.
   */
  readonly current: ReadonlyMap<string, readonly JsonObject[]>;
}

/** Returns the static objects of a plugin; undefined if its configuration names no manifests. */
export type StaticObjectsOf = (plugin: string) => StaticObjects | undefined;

/** The plugins that may have static objects, with the resources of these objects. */
export const staticResources = {
  MutatingAdmissionPolicy: ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
  MutatingAdmissionWebhook: ['mutatingwebhookconfigurations'],
  ValidatingAdmissionPolicy: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
  ValidatingAdmissionWebhook: ['validatingwebhookconfigurations'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The feature gate of static objects. */
export const staticObjectsGate = 'ManifestBasedAdmissionControlConfig';

/** The suffix of the names of static objects, which is reserved for them. */
export function staticSuffix({ apiDomain }: Pick<Identifiers, 'apiDomain'>): string {
  return `.static.${apiDomain}`;
}
