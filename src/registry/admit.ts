import type { AdmissionAttributes, Operation } from '../admission/admission.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { RequestScope } from './registry.ts';
import type { StoredResource } from './stored-resource.ts';

/** What admission sees of a write. */
export function attributesOf(
  resource: StoredResource,
  scope: RequestScope,
  operation: Operation,
  write: {
    readonly name: string;
    readonly object: JsonObject | undefined;
    readonly oldObject: JsonObject | undefined;
    readonly dryRun: boolean;
  },
): AdmissionAttributes {
  const { group, resource: plural, kind } = resource.info;
  return {
    operation,
    kind: { group, version: scope.version, kind },
    resource: { group, version: scope.version, resource: plural },
    subresource: scope.subresource,
    namespace: scope.namespace,
    ...write,
    user: scope.user,
    signal: scope.cancellation.signal,
    warn: (text) => scope.warn(text),
  };
}
