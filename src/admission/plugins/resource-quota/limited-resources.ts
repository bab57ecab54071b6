import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { readScopeTerms, type ScopeTerm } from './scope-term.ts';

/** A rule of the configuration: objects that need a quota which covers them. */
export interface LimitedResource {
  readonly group: string;
  readonly resource: string;
  /** Used resources whose names contain one of these must be covered. */
  readonly contains: readonly string[];
  /** Objects in one of these scopes must be covered by a quota with that scope. */
  readonly scopes: readonly ScopeTerm[];
}

/**
 * Reads a ResourceQuotaConfiguration, in its version of today or those before (spec 4.10). Throws
 * `RangeError` with the field if it is invalid.
 */
export function limitedResourcesOf(
  configuration: JsonObject | undefined,
  { apiDomain }: Identifiers,
): readonly LimitedResource[] {
  if (!configuration) return [];
  const [apiVersion, kind] = [stringAt(configuration, 'apiVersion'), stringAt(configuration, 'kind')];
  const known = knownVersions(apiDomain);
  if (known.get(apiVersion) !== kind) {
    const texts = [...known].map(([version, name]) => `${version}, ${name}`);
    throw new RangeError(`apiVersion: ${apiVersion}, kind: ${kind}: expected one of ${texts.join('; ')}`);
  }
  return objectsAt(configuration, 'limitedResources').map((rule, index) => {
    const resource = stringAt(rule, 'resource');
    if (resource === '') throw new RangeError(`limitedResources[${index}].resource: Required value`);
    return {
      group: stringAt(rule, 'apiGroup'),
      resource,
      contains: stringsAt(rule, 'matchContains'),
      scopes: readScopeTerms(rule, 'matchScopes'),
    };
  });
}

/** The kind of the configuration, by its version. */
function knownVersions(apiDomain: string): ReadonlyMap<string, string> {
  return new Map([
    [`apiserver.config.${apiDomain}/v1`, 'ResourceQuotaConfiguration'],
    [`resourcequota.admission.${apiDomain}/v1beta1`, 'Configuration'],
    [`resourcequota.admission.${apiDomain}/v1alpha1`, 'Configuration'],
  ]);
}
