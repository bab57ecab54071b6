import type { CellContext, Column, RowWork, TableDefinition } from '../../codec/table-definition.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
} from '../../gen/stored/apiextensions-v1.ts';
import { ageSince } from '../../meta/human-duration.ts';
import { roomAfter } from '../../meta/interned-json.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { parseTime } from '../../meta/time.ts';
import { ageColumn, nameColumn } from '../../resources/columns/column.ts';
import { compileJsonPath } from './compile-json-path.ts';

/** The Table of a version of a custom resource: its printer columns, or the age without any. */
export function customTable({
  additionalPrinterColumns: declared = [],
}: CustomResourceDefinitionVersion): TableDefinition {
  const columns = declared.map(columnOf);
  return Object.freeze({ columns: [nameColumn, ...(columns.length > 0 ? columns : [{ ...ageColumn, type: 'date' }])] });
}

function columnOf(declared: CustomResourceColumnDefinition): Column {
  const { type, jsonPath } = declared;
  const find = compileJsonPath(jsonPath);
  const cell = Object.hasOwn(cells, type) ? cells[type] : undefined;
  return {
    name: declared.name,
    type,
    format: declared.format ?? '',
    description: declared.description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: declared.priority ?? 0,
    cell: (object, context) => {
      const value = find?.(object, context.work);
      return value === undefined ? null : (cell?.(value, context) ?? null);
    },
  };
}

/** The cells of each type from the first value of a path; undefined for a value of another type. */
const cells: Readonly<Record<string, (value: JsonValue, context: CellContext) => JsonValue | undefined>> = {
  string: (value, { work }) => textOf(value, work),
  integer: (value) => (isNumber(value) ? Math.trunc(Number(value)) : undefined),
  number: (value) => (isNumber(value) ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value, { nowMs }) => (typeof value === 'string' ? dateCell(value, nowMs) : undefined),
};

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Scalars of usual length are always shown. */
const usualLength = 1_000;

/** Lists and objects are shown as JSON, unless the row becomes too long. */
function textOf(value: JsonValue, work: RowWork): string {
  if (value === null) return '<nil>';
  if (typeof value !== 'object' && String(value).length <= usualLength) return String(value);
  work.characters = roomAfter(value, work.characters);
  if (work.characters < 0) return '<too long>';
  return typeof value === 'object' ? JSON.stringify(value, exactNumbers) : String(value);
}

function exactNumbers(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function dateCell(text: string, nowMs: number): string {
  return text === '' || parseTime(text) !== undefined ? ageSince(text, nowMs) : '<invalid>';
}
