import type { Identifiers } from '../identifiers/identifiers.ts';
import type { Toleration } from '../gen/stored/core-v1.ts';
import { getOwn, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { FieldDecodeError } from '../scheme/model/field-decode-error.ts';
import { decodeObject } from '../scheme/decode-object.ts';
import { schemaOf } from '../scheme/schema-of.ts';
import { type FieldError, invalid } from '../status/field-error.ts';
import { checkKind, configuredObject, refuseErrors } from './check-configuration.ts';
import { checkTolerations } from '../kinds/core/check-tolerations.ts';

/** The tolerations of namespaces that have no annotations about them. */
interface ConfiguredTolerations {
  readonly defaults: readonly Toleration[];
  readonly whitelist: readonly Toleration[];
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
  const listAt = (name: string): readonly Toleration[] => {
    const value = getOwn(lists, name) ?? [];
    const tolerations = tolerationsIn(value);
    errors.push(
      ...(tolerations ? checkTolerations(name, tolerations) : [invalid(name, value, 'must be a list of tolerations')]),
    );
    return tolerations ?? [];
  };
  const found = { defaults: listAt('default'), whitelist: listAt('whitelist') };
  refuseErrors(errors);
  return found;
}

/** The tolerations in a list; undefined if it is another value, or has fields of other types. */
function tolerationsIn(value: JsonValue): readonly Toleration[] | undefined {
  try {
    const schema = schemaOf('api.core.v1.Toleration');
    return Array.isArray(value) ? value.map((item) => decodeObject(schema, item).value) : undefined;
  } catch (error) {
    if (error instanceof FieldDecodeError) return undefined;
    throw error;
  }
}
