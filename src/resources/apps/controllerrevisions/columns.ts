import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isTrue, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { countAt, orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of controller revisions. */
export const columns: readonly Column[] = [
  name,
  text('Controller', 'Controller that the revision belongs to.', controller),
  text('Revision', 'Number of the revision.', (object) => countAt(object, 'revision')),
  age,
];

/** The controlling owner: `statefulset.apps/web`, or `node/x` for a kind of the core group. */
function controller(object: JsonObject): string {
  const owners = objectsAt(objectAt(object, 'metadata'), 'ownerReferences');
  const owner = owners.find((reference) => isTrue(reference, 'controller'));
  if (!owner) return orNone('');
  const version = stringAt(owner, 'apiVersion');
  const group = version.includes('/') ? `.${version.slice(0, version.indexOf('/'))}` : '';
  return `${stringAt(owner, 'kind').toLowerCase()}${group}/${stringAt(owner, 'name')}`;
}
