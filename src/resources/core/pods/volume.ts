import type { JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import { duplicate, type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { checkEach, checkRequiredString } from '../../rules/check.ts';

/** The volumes of a pod spec: names that differ, and one source each. */
export function checkVolumes(field: string, volumes: readonly JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return checkEach(field, volumes, (volume, path) => {
    const name = stringAt(volume, 'name');
    const errors = [
      ...checkRequiredString(`${path}.name`, name, validateDnsLabel),
      ...(name !== '' && seen.has(name) ? [duplicate(`${path}.name`, name)] : []),
      ...sourceErrors(volume, path),
    ];
    seen.add(name);
    return errors;
  });
}

function sourceErrors(volume: JsonObject, path: string): FieldError[] {
  const [source, ...others] = Object.keys(volume).filter((name) => name !== 'name');
  if (source === undefined) return [required(path, 'must specify a volume type')];
  return others.map((name) => forbidden(`${path}.${name}`, 'may not specify more than 1 volume type'));
}
