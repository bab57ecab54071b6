import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, isTrue, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  notFoundField,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { checkEach } from '../../rules/fields/check.ts';
import { checkLocalPath } from './reference.ts';

/**
 * The volumes that containers can mount, by name. The value is true if the volume comes from a
 * claim, and so can be a block device.
 */
export type Mountable = ReadonlyMap<string, boolean>;

/**
 * Checks the mounts of a container. Each refers to an existing volume that is not used as a device,
 * and has a unique path.
 */
export function checkMounts(field: string, container: JsonObject, volumes: Mountable): readonly FieldError[] {
  const seen = new Set<string>();
  const devices = usesOf(container, 'volumeDevices', 'devicePath');
  return checkEach(field, objectsAt(container, 'volumeMounts'), (mount, path) => {
    const name = stringAt(mount, 'name');
    const mountPath = stringAt(mount, 'mountPath');
    const [subPath, expression] = [stringAt(mount, 'subPath'), stringAt(mount, 'subPathExpr')];
    const errors = allErrors(
      name === '' ? [required(`${path}.name`)] : noErrors,
      volumes.has(name) ? noErrors : [notFoundField(`${path}.name`, name)],
      mountPath === '' ? [required(`${path}.mountPath`)] : noErrors,
      seen.has(mountPath) ? [invalid(`${path}.mountPath`, mountPath, 'must be unique')] : noErrors,
      usedErrors(devices, 'volumeDevices', [`${path}.name`, name], [`${path}.mountPath`, mountPath]),
      // The field of these errors has no index of the mount.
      checkLocalPath(`${field}.subPath`, subPath),
      subPath !== '' && expression !== ''
        ? [invalid(`${path}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive')]
        : noErrors,
      checkLocalPath(`${field}.subPathExpr`, expression),
      propagationErrors(`${field}.mountPropagation`, mount, container),
    );
    seen.add(mountPath);
    return errors;
  });
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

function propagationErrors(field: string, mount: JsonObject, container: JsonObject): readonly FieldError[] {
  if (!isSet(mount, 'mountPropagation')) return noErrors;
  const propagation = stringAt(mount, 'mountPropagation');
  const privileged = isTrue(objectAt(container, 'securityContext'), 'privileged');
  if (!propagations.includes(propagation)) return [notSupported(field, propagation, propagations)];
  return propagation === 'Bidirectional' && !privileged
    ? [forbidden(field, 'Bidirectional mount propagation is available only to privileged containers')]
    : noErrors;
}

/**
 * Checks the block devices of a container. Each refers to a volume from a claim that is not
 * mounted. Volumes and paths are unique.
 */
export function checkDevices(field: string, container: JsonObject, volumes: Mountable): readonly FieldError[] {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  const mounts = usesOf(container, 'volumeMounts', 'mountPath');
  return checkEach(field, objectsAt(container, 'volumeDevices'), (device, path) => {
    const [name, devicePath] = [stringAt(device, 'name'), stringAt(device, 'devicePath')];
    const errors = allErrors(
      name === '' ? [required(`${path}.name`)] : noErrors,
      names.has(name) ? [invalid(`${path}.name`, name, 'must be unique')] : noErrors,
      volumeErrors(`${path}.name`, name, volumes),
      devicePath === '' ? [required(`${path}.devicePath`)] : noErrors,
      paths.has(devicePath) ? [invalid(`${path}.devicePath`, devicePath, 'must be unique')] : noErrors,
      checkNoClimb(`${path}.devicePath`, devicePath),
      usedErrors(mounts, 'volumeMounts', [`${path}.name`, name], [`${path}.devicePath`, devicePath]),
    );
    if (name !== '') names.add(name);
    paths.add(devicePath);
    return errors;
  });
}

function volumeErrors(field: string, name: string, volumes: Mountable): readonly FieldError[] {
  const isClaim = volumes.get(name);
  if (isClaim === undefined) return [notFoundField(field, name)];
  return isClaim
    ? noErrors
    : [invalid(field, name, 'can only use volume source type of PersistentVolumeClaim for block mode')];
}

function checkNoClimb(field: string, path: string): readonly FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "can not contain backsteps ('..')")] : noErrors;
}

/**
 * The volumes and paths that a container uses in the other way: devices for mounts, mounts for
 * devices.
 */
interface Uses {
  readonly names: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

function usesOf(container: JsonObject, list: string, path: string): Uses {
  const uses = objectsAt(container, list);
  return {
    names: new Set(uses.map((use) => stringAt(use, 'name'))),
    paths: new Set(uses.map((use) => stringAt(use, path))),
  };
}

function usedErrors(
  { names, paths }: Uses,
  list: string,
  [nameField, name]: readonly [string, string],
  [pathField, path]: readonly [string, string],
): readonly FieldError[] {
  return allErrors(
    names.has(name) ? [invalid(nameField, name, `must not already exist in ${list}`)] : noErrors,
    paths.has(path) ? [invalid(pathField, path, `must not already exist as a path in ${list}`)] : noErrors,
  );
}
