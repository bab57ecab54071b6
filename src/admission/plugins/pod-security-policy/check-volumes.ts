import path from 'node:path';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, isTrue, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { containerLists } from './default-security.ts';

/** Checks the volumes of a Pod against a policy. */
export function checkVolumes(pod: JsonObject, policySpec: JsonObject, identifiers: Identifiers): readonly FieldError[] {
  const podSpec = objectAt(pod, 'spec');
  const allowed = stringsAt(policySpec, 'volumes');
  return objectsAt(podSpec, 'volumes').flatMap((volume, index) => {
    const field = `spec.volumes[${index}]`;
    const type = volumeType(volume);
    const isAllowed =
      allowed.includes('*') ||
      allowed.includes(type) ||
      (allowed.includes('secret') && isAccountToken(volume, identifiers));
    if (!isAllowed) return [invalid(field, type, `${type} volumes are not allowed to be used`)];
    return sourceChecks[type]?.(field, volume, { podSpec, policySpec }) ?? [];
  });
}

/** The type of a volume, which a policy names with one more capital letter in one case. */
function volumeType(volume: JsonObject): string {
  const type = Object.keys(volume).find((name) => name !== 'name' && isSet(volume, name)) ?? '';
  return type === 'cephfs' ? 'cephFS' : type;
}

interface VolumeContext {
  readonly podSpec: JsonObject;
  readonly policySpec: JsonObject;
}

/** The further checks of some types. An empty list of a policy allows all. */
const sourceChecks: Readonly<
  Record<string, (field: string, volume: JsonObject, context: VolumeContext) => readonly FieldError[]>
> = {
  hostPath: checkHostPath,
  flexVolume: (field, volume, { policySpec }) => {
    const driver = stringAt(objectAt(volume, 'flexVolume'), 'driver');
    return isListed(policySpec, 'allowedFlexVolumes', 'driver', driver)
      ? []
      : [invalid(`${field}.driver`, driver, 'Flexvolume driver is not allowed to be used')];
  },
  csi: (field, volume, { policySpec }) => {
    const driver = stringAt(objectAt(volume, 'csi'), 'driver');
    return isListed(policySpec, 'allowedCSIDrivers', 'name', driver)
      ? []
      : [invalid(`${field}.csi.driver`, driver, 'Inline CSI driver is not allowed to be used')];
  },
};

function isListed(policySpec: JsonObject, list: string, field: string, value: string): boolean {
  const allowed = objectsAt(policySpec, list);
  return allowed.length === 0 || allowed.some((entry) => stringAt(entry, field) === value);
}

function checkHostPath(field: string, volume: JsonObject, context: VolumeContext): readonly FieldError[] {
  const hostPath = stringAt(objectAt(volume, 'hostPath'), 'path');
  const prefixes = objectsAt(context.policySpec, 'allowedHostPaths');
  if (prefixes.length === 0) return [];
  const matching = prefixes.filter((allowed) => isBelow(hostPath, stringAt(allowed, 'pathPrefix')));
  if (matching.length === 0) {
    return [invalid(`${field}.hostPath.pathPrefix`, hostPath, 'is not allowed to be used')];
  }
  const isReadOnly = matching.every((allowed) => isTrue(allowed, 'readOnly'));
  return isReadOnly ? writableMounts(context.podSpec, stringAt(volume, 'name')) : [];
}

/** Reports whether a path is a directory or in it. Neither may leave it by `..`. */
function isBelow(hostPath: string, directory: string): boolean {
  const [child, parent] = [clean(hostPath), clean(directory)];
  return child === parent || parent === '/' || child.startsWith(`${parent}/`);
}

function clean(text: string): string {
  const normal = path.posix.normalize(text);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

function writableMounts(podSpec: JsonObject, volume: string): readonly FieldError[] {
  return containerLists.flatMap((list) =>
    objectsAt(podSpec, list).flatMap((container, at) =>
      objectsAt(container, 'volumeMounts').flatMap((mount, index) =>
        stringAt(mount, 'name') === volume && !isTrue(mount, 'readOnly')
          ? [invalid(`spec.${list}[${at}].volumeMounts[${index}].readOnly`, false, 'must be read-only')]
          : [],
      ),
    ),
  );
}

/**
 * Reports whether a projected volume has only what the server itself gives to Pods: the token of
 * their service account, the root CA and their namespace. Policies for Secrets allow it.
 */
function isAccountToken(volume: JsonObject, { rootCaConfigMap }: Identifiers): boolean {
  if (!isSet(volume, 'projected')) return false;
  const isOwn = (source: JsonObject): boolean =>
    ownSources.some((name) => isSet(source, name)) &&
    isOwnToken(source) &&
    (!isSet(source, 'configMap') || stringAt(objectAt(source, 'configMap'), 'name') === rootCaConfigMap) &&
    objectsAt(objectAt(source, 'downwardAPI'), 'items').every(isOwnItem);
  return objectsAt(objectAt(volume, 'projected'), 'sources').every(isOwn);
}

const ownSources = ['serviceAccountToken', 'configMap', 'downwardAPI'];

function isOwnToken(source: JsonObject): boolean {
  if (!isSet(source, 'serviceAccountToken')) return true;
  const token = objectAt(source, 'serviceAccountToken');
  return stringAt(token, 'path') === 'token' && stringAt(token, 'audience') === '';
}

function isOwnItem(item: JsonObject): boolean {
  const { apiVersion, fieldPath } = objectAt(item, 'fieldRef');
  return stringAt(item, 'path') === 'namespace' && apiVersion === 'v1' && fieldPath === 'metadata.namespace';
}
