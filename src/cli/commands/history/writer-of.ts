import type { GenericObject } from '../../../client/api-object.ts';
import { groupBy } from '../../../meta/group-by.ts';
import { isJsonObject, type JsonValue } from '../../../meta/json-value.ts';
import type { ObjectState } from '../../object-history.ts';

/** The names of the fields from the root of an object to a value. */
export type FieldPath = readonly string[];

/** An entry of `metadata.managedFields`. */
interface Entry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly apiVersion?: string;
  /** RFC 3339, in seconds: several writes have the same. */
  readonly time?: string;
  readonly fieldsV1?: JsonValue;
}

/**
 * The manager that wrote a state: the one whose entry is not as it was before or, if all are, the
 * one that owns what changed. '' if the object does not tell.
 */
export function writerOf(
  { change, object }: ObjectState,
  before: GenericObject | undefined,
  changed: readonly FieldPath[],
): string {
  // The state that was deleted has the entries of the write before.
  if (change === 'deleted') return '';
  const entries = entriesOf(object);
  if (change !== 'changed' || !before) return onlyLatest(entries);
  const known = new Map(entriesOf(before).map((entry) => [keyOf(entry), entry]));
  const written = entries.filter((entry) => isWritten(entry, known.get(keyOf(entry))));
  if (written.length > 0) return onlyLatest(written);
  const owners = (isExact: boolean): readonly Entry[] =>
    entries.filter(({ fieldsV1 }) => changed.some((path) => owns(fieldsV1, path, isExact)));
  const exact = owners(true);
  return onlyLatest(exact.length > 0 ? exact : owners(false));
}

function entriesOf({ metadata }: GenericObject): readonly Entry[] {
  // The fields of the API; the type of the library leaves them open.
  return (metadata?.managedFields ?? []) as readonly Entry[];
}

/** The manager of the latest entry; '' if there are several managers of that time. */
function onlyLatest(entries: readonly Entry[]): string {
  const byTime = groupBy(entries, ({ time = '' }) => time);
  const last = [...byTime.keys()].toSorted().at(-1) ?? '';
  const managers = new Set((byTime.get(last) ?? []).map(({ manager = '' }) => manager));
  const [manager = ''] = managers;
  return managers.size === 1 ? manager : '';
}

function keyOf({ manager, operation, subresource, apiVersion }: Entry): string {
  return JSON.stringify([manager, operation, subresource, apiVersion]);
}

/** An entry that only lost fields may have lost them to another manager, which is the writer. */
function isWritten({ time, fieldsV1 }: Entry, before: Entry | undefined): boolean {
  return before === undefined || time !== before.time || hasMore(fieldsV1, before.fieldsV1);
}

function hasMore(after: JsonValue | undefined, before: JsonValue | undefined): boolean {
  if (!isJsonObject(after)) return false;
  if (!isJsonObject(before)) return true;
  return Object.keys(after).some((name) => !Object.hasOwn(before, name) || hasMore(after[name], before[name]));
}

/**
 * Tells whether a path, which ends at a list, is among fields. `{}` is a value alone or with all
 * that is below it, which only counts if it need not be `isExact`.
 */
function owns(fields: JsonValue | undefined, path: FieldPath, isExact: boolean): boolean {
  let at = fields;
  for (const name of path) {
    const next = isJsonObject(at) ? at[`f:${name}`] : undefined;
    if (next === undefined) return !isExact && isJsonObject(at) && at !== fields && Object.keys(at).length === 0;
    at = next;
  }
  return true;
}
