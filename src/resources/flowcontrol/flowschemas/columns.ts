import type { Column, RowKey } from '../../../codec/table-definition.ts';
import type { FlowSchema } from '../../../gen/stored/flowcontrol-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { orNone, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';

/** The columns of flow schemas. */
export const columns: readonly Column<FlowSchema>[] = [
  nameColumn,
  textColumn('PriorityLevel', 'Priority level of the requests that match.', ({ spec }) =>
    orNone(spec.priorityLevelConfiguration.name),
  ),
  textColumn(
    'MatchingPrecedence',
    'Order in which schemas are tried; the lowest is first.',
    ({ spec }) => spec.matchingPrecedence,
  ),
  textColumn('DistinguisherMethod', 'How requests are divided into flows.', ({ spec }) =>
    spec.distinguisherMethod ? spec.distinguisherMethod.type : orNone(''),
  ),
  ageColumn,
  textColumn('MissingPL', 'Whether the priority level does not exist.', ({ status }) => {
    const dangling = status.conditions?.find(({ type }) => type === 'Dangling');
    return dangling ? (dangling.status ?? '') : '?';
  }),
];

/** Rows are in the order in which schemas are tried: by precedence, then by name. */
export function rowKey(schema: JsonObject): RowKey {
  const { metadata, spec } = schema as FlowSchema;
  return [spec.matchingPrecedence, metadata.name ?? ''];
}
