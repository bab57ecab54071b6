import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Difference } from '../compare.ts';
import { textAt, valueAt } from '../json-paths.ts';
import { leavesOf } from './field-trees.ts';
import type { Exchange } from './known-difference.ts';
import { liveBefore } from './live-object.ts';

/**
 * Whether a difference is about who owns a list that the version of a manager declares no more: in the reference the
 * manager keeps the items that it owned in the list, and here it owns the list as one value, until another writes it.
 */
export function isOfUndeclaredList(difference: Difference, exchange: Exchange): boolean {
  const { path, reference, ours } = difference;
  const at = path.indexOf('managedFields');
  const [key = '', ...owned] = path.slice(at + 1).map(String);
  if (at < 0 || key === '') return false;
  const [, apiVersion = ''] = /"apiVersion","([^"]*)"/.exec(key) ?? [];
  const fields = valueAt(exchange.normalReference, path.slice(0, at + 2));
  const isInList = (leaf: readonly string[]): boolean =>
    leaf.some((_, index) => isUndeclaredList(exchange, { apiVersion, fields, place: leaf.slice(0, index + 1) }));
  return leavesOf(reference ?? ours ?? null, owned).every(isInList);
}

/** Whether a conflict is about such a list. */
export function isConflictOfUndeclaredList(exchange: Exchange, manager: string, names: readonly string[]): boolean {
  const entries = valueAt(liveBefore(exchange).ours, ['metadata', 'managedFields']);
  const own = (Array.isArray(entries) ? entries : []).filter((entry) => textAt(entry, ['manager']) === manager);
  return own.some((entry) => {
    const [apiVersion, fields] = [textAt(entry, ['apiVersion']), valueAt(entry, ['fieldsV1'])];
    return isUndeclaredList(exchange, { apiVersion, fields, place: names.map((name) => `f:${name}`) });
  });
}

/** A place of a manager's field set, with elements as in `f:spec`. */
interface OwnedPlace {
  readonly apiVersion: string;
  readonly fields: JsonValue | undefined;
  readonly place: readonly string[];
}

function isUndeclaredList({ definition }: Exchange, { apiVersion, fields, place }: OwnedPlace): boolean {
  const owned = valueAt(fields, place);
  const hasItems = isJsonObject(owned ?? null) && Object.keys(owned ?? {}).some((key) => /^[kv]:/.test(key));
  const versions = valueAt(definition, ['spec', 'versions']);
  const version = (Array.isArray(versions) ? versions : []).find((each) =>
    apiVersion.endsWith(`/${textAt(each, ['name'])}`),
  );
  const schema = valueAt(version, ['schema', 'openAPIV3Schema']);
  return hasItems && schema !== undefined && place.reduce(declaredPart, schema) === undefined;
}

/** The schema of the part that an element names; undefined where there is none. */
function declaredPart(schema: JsonValue | undefined, element: string): JsonValue | undefined {
  if (!element.startsWith('f:')) return valueAt(schema, ['items']);
  return valueAt(schema, ['properties', element.slice(2)]) ?? valueAt(schema, ['additionalProperties']);
}
