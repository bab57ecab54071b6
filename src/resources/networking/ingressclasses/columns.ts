import type { Column } from '../../../codec/table.ts';
import type { IngressClass } from '../../../gen/stored/networking-v1.ts';
import { orNone } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of ingress classes. */
export const columns: readonly Column<IngressClass>[] = [
  name,
  text('Controller', 'Controller that serves the class.', ({ spec }) => spec.controller ?? ''),
  text('Parameters', 'Object with further configuration for the controller.', parameters),
  age,
];

/** `Kind.group/name`, or `Kind/name` without a group. */
function parameters({ spec: { parameters: reference } }: IngressClass): string {
  if (!reference) return orNone('');
  const group = typeof reference.apiGroup === 'string' ? `.${reference.apiGroup}` : '';
  return `${reference.kind}${group}/${reference.name}`;
}
