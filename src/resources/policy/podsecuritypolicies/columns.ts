import type { Column } from '../../../codec/table-definition.ts';
import type { PodSecurityPolicy } from '../../../gen/stored/policy-v1beta1.ts';
import { nameColumn, textColumn } from '../../columns/column.ts';

/** The columns of pod security policies. */
export const columns: readonly Column<PodSecurityPolicy>[] = [
  nameColumn,
  textColumn('Priv', 'Whether pods may be privileged.', ({ spec }) => `${spec.privileged ?? false}`),
  textColumn('Caps', 'Capabilities that pods may add.', ({ spec }) => spec.allowedCapabilities?.join(',') ?? ''),
  textColumn('SELinux', 'Rule for SELinux labels.', ({ spec }) => spec.seLinux.rule),
  textColumn('RunAsUser', 'Rule for user ids.', ({ spec }) => spec.runAsUser.rule),
  textColumn('FsGroup', 'Rule for the group of volumes.', ({ spec }) => spec.fsGroup.rule ?? ''),
  textColumn('SupGroup', 'Rule for supplemental groups.', ({ spec }) => spec.supplementalGroups.rule ?? ''),
  textColumn(
    'ReadOnlyRootFs',
    'Whether root file systems must be read-only.',
    ({ spec }) => spec.readOnlyRootFilesystem ?? false,
  ),
  textColumn('Volumes', 'Types of volumes that pods may use.', ({ spec }) => spec.volumes?.join(',') ?? ''),
];
