import type { Column } from '../../../codec/table.ts';
import type { ControllerRevision } from '../../../gen/stored/apps-v1.ts';
import { orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of controller revisions. */
export const columns: readonly Column<ControllerRevision>[] = [
  name,
  text('Controller', 'Controller that the revision belongs to.', controller),
  text('Revision', 'Number of the revision.', ({ revision }) => revision),
  age,
];

/** The controlling owner: `statefulset.apps/web`, or `node/x` for a kind of the core group. */
function controller({ metadata }: ControllerRevision): string {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller);
  if (!owner) return orNone('');
  const version = owner.apiVersion;
  const group = version.includes('/') ? `.${version.slice(0, version.indexOf('/'))}` : '';
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
}
