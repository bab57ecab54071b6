import type { StatusError } from '../../../../client/status-error.ts';
import type { JsonObject, JsonValue } from '../../../../meta/json-value.ts';
import { conflictsOf } from '../../../objects/client-side-fields.ts';
import { valueAtPath } from '../../../objects/field-path.ts';
import { shortName } from '../../../objects/written-objects.ts';
import { columnWidths, formatRows, visibleText } from '../../../format-rows.ts';

const widestValue = 40;

/** The fields of a Secret that are shown. */
const openFieldOfSecret = /^\.(?:type|immutable|metadata\.(?:labels|finalizers))(?![A-Za-z])/;

/**
 * Shows the fields of other managers that an apply would change, with both values, and the ways
 * out. Empty for a conflict of another kind. Values of Secrets are hidden, those
 * in the annotation of their last apply too.
 */
export function conflictTable(error: StatusError, ours: JsonObject, theirs: JsonObject): string {
  const conflicts = conflictsOf(error);
  if (conflicts.length === 0) return '';
  const isHidden = ours.kind === 'Secret';
  const shown = (object: JsonObject, path: string): string =>
    isHidden && !openFieldOfSecret.test(path) ? '***' : valueText(valueAtPath(object, path));
  const rows = conflicts.map(({ field, manager }) =>
    [field, manager, shown(ours, field), shown(theirs, field)].map(visibleText),
  );
  const table = [['FIELD', 'MANAGER', 'YOURS', 'THEIRS'], ...rows];
  return [
    `${shortName(ours)}: other managers have set these fields:`,
    formatRows(table, columnWidths(table)).trimEnd(),
    'Three ways out:',
    '  take them over:       apply again with --force-conflicts; the other manager loses them',
    '  leave them alone:     remove the fields from the file',
    '  own them together:    write the values of THEIRS in the file\n',
  ].join('\n');
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return '<none>';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > widestValue ? `${text.slice(0, widestValue - 1)}…` : text;
}
