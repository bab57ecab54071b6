import { equalValues } from '../../../scheme/model/equal-values.ts';
import type { Column } from '../../../codec/table-definition.ts';
import type { ControllerRevision } from '../../../gen/stored/apps-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { isJsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { checkNotNegative } from '../../rules/fields/field-checks.ts';

const columns: readonly Column<ControllerRevision>[] = [
  nameColumn,
  textColumn('Controller', 'Controller that the revision belongs to.', controller),
  textColumn('Revision', 'Number of the revision.', ({ revision }) => revision),
  ageColumn,
];

/** The controlling owner: `statefulset.apps/web`, or `node/x` for a kind of the core group. */
function controller({ metadata }: ControllerRevision): string {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller);
  if (!owner) return orNone('');
  const version = owner.apiVersion;
  const group = version.includes('/') ? `.${version.slice(0, version.indexOf('/'))}` : '';
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
}

/**
 * The errors of the data, which are required. Since 1.36 they must be an object, and an update only
 * checks that they do not change.
 */
function dataErrors(data: JsonValue, { release }: EmulatedRelease, isUpdate: boolean): readonly FieldError[] {
  const isNewer = isSince(release, '1.36');
  if (isNewer && isUpdate) return [];
  if (data === null) return [required('data', 'data is mandatory')];
  return isNewer && !isJsonObject(data) ? [required('data', 'data must be a valid JSON object')] : [];
}

/** The data of a revision are immutable. */
const strategy: Strategy<ControllerRevision> = {
  validate: ({ data, revision }, { emulated }, old) => [
    ...dataErrors(data, emulated, old !== undefined),
    ...checkNotNegative('revision', Number(revision)),
  ],
  validateUpdate: ({ data }, old) => (equalValues(data, old.data) ? [] : [invalid('data', data, 'field is immutable')]),
};

/** The resource `controllerrevisions` of the group `apps`. */
export const controllerRevisions = builtIn<ControllerRevision>({
  group: 'apps',
  resource: 'controllerrevisions',
  kind: 'ControllerRevision',
  namespaced: true,
  versions: {
    v1: { introduced: '1.9' },
    v1beta2: { introduced: '1.8', deprecated: { since: '1.9', removed: '1.16', replacement: 'v1' } },
    v1beta1: { introduced: '1.7', deprecated: { since: '1.8', removed: '1.16', replacement: 'v1' } },
  },
  columns,
  strategy,
});
