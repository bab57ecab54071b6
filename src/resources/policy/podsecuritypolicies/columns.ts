import type { Column } from '../../../codec/table.ts';
import type { PodSecurityPolicy } from '../../../gen/stored/policy-v1beta1.ts';
import { name, text } from '../../columns/column.ts';

/** The columns of pod security policies. */
export const columns: readonly Column<PodSecurityPolicy>[] = [
  name,
  text('Priv', 'Whether pods may be privileged.', ({ spec }) => `${spec.privileged ?? false}`),
  text('Caps', 'Capabilities that pods may add.', ({ spec }) => spec.allowedCapabilities?.join(',') ?? ''),
  text('SELinux', 'Rule for SELinux labels.', ({ spec }) => spec.seLinux.rule),
  text('RunAsUser', 'Rule for user ids.', ({ spec }) => spec.runAsUser.rule),
  text('FsGroup', 'Rule for the group of volumes.', ({ spec }) => spec.fsGroup.rule ?? ''),
  text('SupGroup', 'Rule for supplemental groups.', ({ spec }) => spec.supplementalGroups.rule ?? ''),
  text(
    'ReadOnlyRootFs',
    'Whether root file systems must be read-only.',
    ({ spec }) => spec.readOnlyRootFilesystem ?? false,
  ),
  text('Volumes', 'Types of volumes that pods may use.', ({ spec }) => spec.volumes?.join(',') ?? ''),
];
