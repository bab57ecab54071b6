import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import { schemaOf } from '../../../scheme/schema-of.ts';
import { validateSchema } from '../../../scheme/validate-schema.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { checkEach, checkRequiredString } from '../../rules/fields/check.ts';
import type { Mountable } from './volume-mount.ts';
import { shownSource, volumeSourceRules } from './volume-source.ts';

/** The result of a check of the volumes of a pod spec. */
interface CheckedVolumes {
  readonly errors: readonly FieldError[];
  /** The volumes without errors. */
  readonly mountable: Mountable;
}

const volumeSchema = schemaOf('api.core.v1.Volume');

/** Checks the volumes of a pod spec: unique names, and one source each. */
export function checkVolumes(field: string, volumes: readonly JsonObject[]): CheckedVolumes {
  const mountable = new Map<string, boolean>();
  const errors = checkEach(field, volumes, (volume, path) => {
    const own = allErrors(sourceErrors(volume, path), nameErrors(volume, path, mountable));
    // Schema errors of the volume are reported with those of the whole object. Here they only make
    // the volume unmountable.
    if (own.length === 0 && validateSchema(volumeSchema, volume).length === 0) {
      mountable.set(stringAt(volume, 'name'), isSet(volume, 'persistentVolumeClaim') || isSet(volume, 'ephemeral'));
    }
    return own;
  });
  return { errors, mountable };
}

function nameErrors(volume: JsonObject, path: string, names: Mountable): readonly FieldError[] {
  const name = stringAt(volume, 'name');
  return allErrors(
    checkRequiredString(`${path}.name`, name, validateDnsLabel),
    names.has(name) ? [duplicate(`${path}.name`, name)] : noErrors,
  );
}

/**
 * Volume sources in the order in which they are checked. The first one counts; further ones are
 * refused.
 */
const order = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
];

function sourceErrors(volume: JsonObject, path: string): readonly FieldError[] {
  const given = Object.keys(volume).filter((name) => name !== 'name');
  const [source, ...others] = given.length > 1 ? given.toSorted((a, b) => rankOf(a) - rankOf(b)) : given;
  if (source === undefined) return [required(path, 'must specify a volume type')];
  return allErrors(
    volumeSourceRules[source]?.(objectAt(volume, source), `${path}.${shownSource(source)}`) ?? noErrors,
    others.map((name) => secondSource(name, path)),
  );
}

/** The names that kube-apiserver has for some sources in the error that refuses them. */
const refusedNames: ReadonlyMap<string, string> = new Map([
  ['cephfs', 'cephFS'],
  ['downwardAPI', 'downwarAPI'],
]);

function secondSource(name: string, path: string): FieldError {
  const shown = refusedNames.get(name) ?? name;
  return forbidden(`${path}.${shown}`, 'may not specify more than 1 volume type');
}

function rankOf(source: string): number {
  const rank = order.indexOf(source);
  return rank < 0 ? order.length : rank;
}
