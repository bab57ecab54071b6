import type { Schemas } from '../../../cli/commands/types/schema-of-kind.ts';
import type { JsonValue } from '../../../meta/json-value.ts';
import type { FieldPath } from '../../forms/field-path.ts';

/** A form that fields belong to. */
export interface FormState {
  readonly schemas: Schemas;
  /** Without it the form is only read. */
  readonly edit?: FormEdit;
}

/** The ways to change the object of a form. */
interface FormEdit {
  /** Reports whether a field cannot be changed. */
  isLocked(path: FieldPath): boolean;
  set(path: FieldPath, value: JsonValue): void;
  /** Removes a field, key or item with its errors. */
  remove(path: FieldPath): void;
  /** Moves an item of a list before the one above it. */
  moveUp(path: FieldPath): void;
  /** Marks a field whose text is no value, until it is called with ''. */
  refuse(path: FieldPath, problem: string): void;
  /** Errors of the server by the paths of their fields. */
  readonly errors: ReadonlyMap<string, string>;
}

/** The id of the control of a field. */
export function fieldId(path: FieldPath): string {
  return `field/${path.join('/')}`;
}

/** Moves to the control of a field when it has appeared. */
export function focusField(path: FieldPath, part = ''): void {
  requestAnimationFrame(() => document.getElementById(fieldId(path) + part)?.focus());
}
