import type { Container, VolumeMount } from '../../../../gen/stored/core-v1.ts';
import { isSince } from '../../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { forbidden, notFoundField, notSupported } from '../../../../status/field-error.ts';
import { checkLocalPath } from '../volumes/reference.ts';
import type { Mountable } from '../volumes/check-pod-volumes.ts';

/**
 * Checks the mounts of a container. Each refers to an existing volume that is not used as a device,
 * and has a unique path.
 */
export function checkMounts(container: FieldCursor<Container>, volumes: Mountable, emulated: EmulatedRelease): void {
  const seen = new Set<string>();
  const { volumeDevices = [] } = container.value;
  const devices = usesOf(volumeDevices.map(({ name, devicePath }) => [name, devicePath]));
  for (const mount of container.each('volumeMounts')) {
    const [name, path] = [mount.at('name'), mount.at('mountPath')];
    name.mustBeSet();
    if (!volumes.has(name.value)) name.report(notFoundField(name.path, name.value));
    path.mustBeSet();
    if (seen.has(path.value)) path.reportInvalid('must be unique');
    seen.add(path.value);
    refuseOtherUse(devices, 'volumeDevices', name, path);
    if (volumes.get(name.value)?.isImage && !isSince(emulated.release, '1.33')) refuseSubPaths(mount);
    checkPaths(mount, container);
    checkPropagation(mount.value, container);
    checkRecursion(mount.value, container);
  }
}

function refuseSubPaths(mount: FieldCursor<VolumeMount>): void {
  for (const path of [mount.at('subPath'), mount.at('subPathExpr')]) {
    if (path.isSet) path.reportInvalid('not allowed in image volume sources');
  }
}

/** Checks the paths in the volume. The fields of some errors have no index of the mount. */
function checkPaths(mount: FieldCursor<VolumeMount>, container: FieldCursor<Container>): void {
  const { subPath = '', subPathExpr = '' } = mount.value;
  if (subPath !== '' && subPathExpr !== '') {
    mount.at('subPathExpr').reportInvalid('subPathExpr and subPath are mutually exclusive');
  }
  mount.report(...checkLocalPath(`${container.path}.volumeMounts.subPath`, subPath));
  mount.report(...checkLocalPath(`${container.path}.volumeMounts.subPathExpr`, subPathExpr));
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

/** Checks the propagation of a mount. The fields of its errors have no index of the mount. */
function checkPropagation({ mountPropagation }: VolumeMount, container: FieldCursor<Container>): void {
  if (mountPropagation === undefined) return;
  const field = `${container.path}.volumeMounts.mountPropagation`;
  if (!propagations.includes(mountPropagation)) {
    container.report(notSupported(field, mountPropagation, propagations));
  }
  if (mountPropagation === 'Bidirectional' && !container.value.securityContext?.privileged) {
    container.report(forbidden(field, 'Bidirectional mount propagation is available only to privileged containers'));
  }
}

const recursions = ['Disabled', 'Enabled', 'IfPossible'];

/**
 * Checks that a recursively read-only mount is read-only and does not propagate. As in
 * kube-apiserver the fields of errors have no index.
 */
function checkRecursion(mount: VolumeMount, container: FieldCursor<Container>): void {
  const { recursiveReadOnly: recursion, readOnly, mountPropagation = 'None' } = mount;
  if (recursion === undefined || recursion === 'Disabled') return;
  const field = `${container.path}.volumeMounts.recursiveReadOnly`;
  const only = 'may only be specified when';
  if (!recursions.includes(recursion)) container.report(notSupported(field, recursion, recursions));
  else {
    if (!readOnly) container.report(forbidden(field, `${only} readOnly is true`));
    if (mountPropagation !== 'None') {
      container.report(forbidden(field, `${only} mountPropagation is None or not specified`));
    }
  }
}

/**
 * Checks the block devices of a container. Each refers to a volume from a claim that is not
 * mounted. Volumes and paths are unique.
 */
export function checkDevices(container: FieldCursor<Container>, volumes: Mountable): void {
  const { volumeMounts = [], volumeDevices = [] } = container.value;
  if (volumeDevices.length === 0) return;
  const [names, paths] = [new Set<string>(), new Set<string>()];
  const mounts = usesOf(volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
  for (const device of container.each('volumeDevices')) {
    const [name, path] = [device.at('name'), device.at('devicePath')];
    name.mustBeSet();
    if (names.has(name.value)) name.reportInvalid('must be unique');
    if (name.isSet) names.add(name.value);
    checkIsClaim(name, volumes);
    path.mustBeSet();
    if (paths.has(path.value)) path.reportInvalid('must be unique');
    paths.add(path.value);
    if (path.value.split('/').includes('..')) path.reportInvalid("can not contain backsteps ('..')");
    refuseOtherUse(mounts, 'volumeMounts', name, path);
  }
}

function checkIsClaim(name: FieldCursor<string>, volumes: Mountable): void {
  const volume = volumes.get(name.value);
  if (!volume) name.report(notFoundField(name.path, name.value));
  else if (!volume.isClaim)
    name.reportInvalid('can only use volume source type of PersistentVolumeClaim for block mode');
}

/**
 * The volumes and paths that a container uses in the other way: devices for mounts, mounts for
 * devices.
 */
interface Uses {
  readonly names: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

function usesOf(pairs: readonly (readonly [name: string, path: string])[]): Uses {
  return { names: new Set(pairs.map(([name]) => name)), paths: new Set(pairs.map(([, path]) => path)) };
}

function refuseOtherUse(uses: Uses, list: string, name: FieldCursor<string>, path: FieldCursor<string>): void {
  if (uses.names.has(name.value)) name.reportInvalid(`must not already exist in ${list}`);
  if (uses.paths.has(path.value)) path.reportInvalid(`must not already exist as a path in ${list}`);
}
