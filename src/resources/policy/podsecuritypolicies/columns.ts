import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isTrue, objectAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { name, text } from '../../columns/column.ts';

/** The columns of pod security policies. */
export const columns: readonly Column[] = [
  name,
  text('Priv', 'Whether pods may be privileged.', (object) => `${isTrue(objectAt(object, 'spec'), 'privileged')}`),
  text('Caps', 'Capabilities that pods may add.', (object) => list(object, 'allowedCapabilities')),
  text('SELinux', 'Rule for SELinux labels.', (object) => rule(object, 'seLinux')),
  text('RunAsUser', 'Rule for user ids.', (object) => rule(object, 'runAsUser')),
  text('FsGroup', 'Rule for the group of volumes.', (object) => rule(object, 'fsGroup')),
  text('SupGroup', 'Rule for supplemental groups.', (object) => rule(object, 'supplementalGroups')),
  text('ReadOnlyRootFs', 'Whether root file systems must be read-only.', (object) =>
    isTrue(objectAt(object, 'spec'), 'readOnlyRootFilesystem'),
  ),
  text('Volumes', 'Types of volumes that pods may use.', (object) => list(object, 'volumes')),
];

function list(policy: JsonObject, field: string): string {
  return stringsAt(objectAt(policy, 'spec'), field).join(',');
}

function rule(policy: JsonObject, field: string): string {
  return stringAt(objectAt(policy, 'spec', field), 'rule');
}
