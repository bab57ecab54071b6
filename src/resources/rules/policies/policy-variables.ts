import type { Variable } from '../../../gen/stored/admissionregistration-v1.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;

/** The reserved words of CEL, which cannot be names. */
const reserved: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

/** Checks a variable of a policy. A variable may redefine an earlier one. */
export function checkVariable(variable: FieldCursor<Variable>): void {
  const name = variable.at('name');
  const { value } = name;
  if (value.trim() === '') name.reportRequired('name is not specified');
  else if (!identifier.test(value) || reserved.has(value)) name.reportInvalid('must be a valid CEL identifier');
  if (variable.value.expression.trim() === '') {
    variable.at('expression').reportRequired('expression is not specified');
  }
}
