import type { Identifiers } from '../identifiers/identifiers.ts';
import { getOwn, isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { objectsAt } from '../meta/read-field.ts';
import { type FieldError, invalid } from '../status/field-error.ts';
import { checkKind, configuredObject, refuseErrors } from './check-configuration.ts';
import { checkTolerations } from '../kinds/core/check-tolerations.ts';

/** The tolerations of namespaces that have no annotations about them. */
interface ConfiguredTolerations {
  readonly defaults: readonly JsonObject[];
  readonly whitelist: readonly JsonObject[];
}

/**
 * Reads the configuration of PodTolerationRestriction: the lists `default` and `whitelist`. Throws
 * `RangeError` with all errors.
 */
export function configuredTolerations(configuration: JsonObject, { apiDomain }: Identifiers): ConfiguredTolerations {
  const group = `podtolerationrestriction.admission.${apiDomain}`;
  if (Object.keys(configuration).length > 0) {
    checkKind(configuration, { kind: 'Configuration', group, versions: ['v1alpha1'] });
  }
  const errors: FieldError[] = [];
  const lists = configuredObject(configuration, '', ['apiVersion', 'kind', 'default', 'whitelist'], errors);
  const listAt = (name: string): readonly JsonObject[] => {
    const value = getOwn(lists, name) ?? [];
    if (!Array.isArray(value) || !value.every(isJsonObject)) {
      errors.push(invalid(name, value, 'must be a list of tolerations'));
      return [];
    }
    const tolerations = objectsAt(lists, name);
    errors.push(...checkTolerations(name, tolerations));
    return tolerations;
  };
  const found = { defaults: listAt('default'), whitelist: listAt('whitelist') };
  refuseErrors(errors);
  return found;
}
