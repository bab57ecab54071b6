import type { PodSecurityContext, PodSpec, SecurityContext } from '../../../gen/stored/core-v1.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { notSupported } from '../../../status/field-error.ts';

const systems = ['linux', 'windows'];

/** Checks that a pod has no options of another operating system than its own. */
export function checkOs(spec: FieldCursor<PodSpec>): void {
  const os = spec.at('os');
  if (!os.isPresent()) return;
  const { name } = os.value;
  if (name === '') os.at('name').reportRequired('cannot be empty');
  else if (!systems.includes(name)) os.report(notSupported(os.path, name, systems));
  else if (name === 'windows') refuseLinux(spec);
  else refuseWindows(spec);
}

/** Yields the containers of all lists in a pod spec. */
export function* eachContainer(
  spec: FieldCursor<PodSpec>,
): Generator<FieldCursor<NonNullable<PodSpec['containers']>[number]>, void> {
  yield* spec.each('initContainers');
  yield* spec.each('containers');
}

function refuseWindows(spec: FieldCursor<PodSpec>): void {
  const options = [
    spec.at('securityContext').at('windowsOptions'),
    ...[...eachContainer(spec)].map((container) => container.at('securityContext').at('windowsOptions')),
  ];
  for (const option of options) {
    if (option.isPresent()) option.reportForbidden('windows options cannot be set for a linux pod');
  }
}

const podParts = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const satisfies readonly (keyof PodSecurityContext)[];

const specParts = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'] as const;

const containerParts = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const satisfies readonly (keyof SecurityContext)[];

/** Refuses fields that do not exist on Windows. A missing `hostPID` counts as false. */
function refuseLinux(spec: FieldCursor<PodSpec>): void {
  const security = spec.at('securityContext');
  refuse(podParts.map((name) => security.at(name)));
  refuse(specParts.map((name) => spec.at(name)).filter(({ value }, index) => index === 0 || index === 3 || value));
  for (const container of eachContainer(spec)) {
    const context = container.at('securityContext');
    refuse(containerParts.map((name) => context.at(name)));
  }
}

function refuse(fields: readonly FieldCursor<unknown>[]): void {
  for (const field of fields) if (field.isPresent()) field.reportForbidden('cannot be set for a windows pod');
}
