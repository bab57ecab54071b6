import { validateDnsLabel } from '../../../meta/validate-name.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { parseQuantity } from '../../../meta/quantity.ts';
import { objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { checkEach, checkRequiredString } from '../../rules/check.ts';
import { checkDownwardFile, checkKeyToPath, checkNoBacksteps, checkOnlyOne } from './reference.ts';

/** The volumes of a pod spec: names that differ, and one source each. */
export function checkVolumes(field: string, volumes: readonly JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return checkEach(field, volumes, (volume, path) => {
    const name = stringAt(volume, 'name');
    const errors = [
      ...sourceErrors(volume, path),
      ...checkRequiredString(`${path}.name`, name, validateDnsLabel),
      ...(name !== '' && seen.has(name) ? [duplicate(`${path}.name`, name)] : []),
    ];
    seen.add(name);
    return errors;
  });
}

function sourceErrors(volume: JsonObject, path: string): FieldError[] {
  const [source, ...others] = Object.keys(volume).filter((name) => name !== 'name');
  if (source === undefined) return [required(path, 'must specify a volume type')];
  return [
    ...(sourceRules[source]?.(objectAt(volume, source), `${path}.${source}`) ?? []),
    ...others.map((name) => forbidden(`${path}.${name}`, 'may not specify more than 1 volume type')),
  ];
}

type SourceRule = (source: JsonObject, path: string) => FieldError[];

/** The rules of sources beyond their schema. */
const sourceRules: Readonly<Record<string, SourceRule>> = {
  emptyDir: ({ sizeLimit }, path) => {
    const limit = typeof sizeLimit === 'string' ? parseQuantity(sizeLimit) : undefined;
    return limit && 'nanos' in limit && limit.nanos < 0n
      ? [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
      : [];
  },
  hostPath: (source, path) => checkNoBacksteps(`${path}.path`, stringAt(source, 'path')),
  nfs: (source, path) => {
    const given = stringAt(source, 'path');
    return [
      ...(stringAt(source, 'server') === '' ? [required(`${path}.server`)] : []),
      ...(given === '' ? [required(`${path}.path`)] : []),
      ...(given.startsWith('/') ? [] : [invalid(`${path}.path`, given, 'must be an absolute path')]),
    ];
  },
  secret: keyedErrors('secretName'),
  configMap: keyedErrors('name'),
  downwardAPI: (source, path) => checkEach(`${path}.items`, objectsAt(source, 'items'), checkDownwardFile),
  projected: (source, path) => checkEach(`${path}.sources`, objectsAt(source, 'sources'), projectionErrors),
};

function keyedErrors(nameField: string): SourceRule {
  return (source, path) => [
    ...(stringAt(source, nameField) === '' ? [required(`${path}.${nameField}`)] : []),
    ...checkEach(`${path}.items`, objectsAt(source, 'items'), checkKeyToPath),
  ];
}

const projections = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'];

function projectionErrors(source: JsonObject, path: string): FieldError[] {
  const given = projections.filter((name) => source[name] !== undefined);
  return [
    ...given.slice(0, 1).flatMap((name) => projectionRules[name]?.(objectAt(source, name), `${path}.${name}`) ?? []),
    ...checkOnlyOne(path, source, projections, 'volume type'),
  ];
}

const projectionRules: Readonly<Record<string, SourceRule>> = {
  secret: keyedErrors('name'),
  configMap: keyedErrors('name'),
  downwardAPI: (source, path) => checkEach(`${path}.items`, objectsAt(source, 'items'), checkDownwardFile),
};
