import { hasReason, StatusError } from '../../client/error-of-response.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { copyJsonObject, isJsonObject, setOwn } from '../../meta/json-value.ts';
import { objectsAt, stringAt } from '../../meta/read-field.ts';
import { metadataOf, resourceVersionOf } from '../../meta/object-meta.ts';
import { type Identifiers, identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';

/** The managers under which clients write what they apply without the help of the server. */
const clientSideManagers: ReadonlySet<string> = new Set(
  identifierSets.map((set) => `${identifiersOf(set).commandLine}-client-side-apply`),
);

/** The annotation in which they keep what they applied last, in the names of a server. */
export function lastAppliedAnnotation({ commandLine, labelDomain }: Identifiers): string {
  return `${commandLine}.${labelDomain}/last-applied-configuration`;
}

/** The annotation in the names of all servers. */
export const lastAppliedAnnotations: readonly string[] = identifierSets.map((set) =>
  lastAppliedAnnotation(identifiersOf(set)),
);

/**
 * The JSON Patch by which a manager that applies in the server takes over the fields that a client
 * applied before: they become its own, the annotation too, so that its next apply removes those
 * that it does not have. Without it each of them would be a conflict. Undefined if there are none.
 */
export function takeOverPatch(object: JsonObject, manager: string): JsonObject[] | undefined {
  const entries = objectsAt(metadataOf(object) ?? {}, 'managedFields');
  const theirs = entries.filter(isClientSide);
  const [first] = theirs;
  if (!first) return undefined;
  const own = entries.find((entry) => entry.manager === manager && entry.operation === 'Apply' && !entry.subresource);
  const base = own ?? first;
  const fields = theirs.map(({ fieldsV1 }) => fieldsV1 ?? {});
  const merged: JsonObject = {
    ...base,
    manager,
    operation: 'Apply',
    fieldsV1: fields.reduce<JsonValue>(unionFields, own?.fieldsV1 ?? {}),
  };
  const rest = entries.filter((entry) => entry !== own && !isClientSide(entry));
  return [
    { op: 'replace', path: '/metadata/managedFields', value: [merged, ...rest] },
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersionOf(object) },
  ];
}

/**
 * Makes a dry run of an apply. Fields that a client applied without the server are no conflict:
 * a real apply takes them over first, which a dry run cannot.
 */
export async function dryApply<Result>(force: boolean, apply: (force: boolean) => Promise<Result>): Promise<Result> {
  try {
    return await apply(force);
  } catch (error) {
    if (!hasReason(error, 'Conflict')) throw error;
    const conflicts = conflictsOf(error);
    const others = conflicts.filter(({ manager }) => !clientSideManagers.has(manager));
    if (others.length === conflicts.length) throw error;
    if (others.length > 0) throw withoutClients(error);
    return await apply(true);
  }
}

/** The conflict without the fields of clients, which would be taken over. */
function withoutClients(error: StatusError): StatusError {
  const { status } = error;
  const causes = (status.details?.causes ?? []).filter((cause) => !clientSideManagers.has(managerOf(cause.message)));
  const [first] = causes;
  const more = causes.length > 1 ? '' : `: ${first?.field ?? ''}`;
  const count = causes.length === 1 ? '1 conflict' : `${causes.length} conflicts`;
  const message = `Apply failed with ${count}: ${first?.message ?? ''}${more}`;
  return new StatusError({ ...status, message, details: { ...status.details, causes } }, { cause: error });
}

/** A field that another manager owns. */
interface FieldConflict {
  /** `.spec.replicas`. */
  readonly field: string;
  readonly manager: string;
}

/** The fields that a refused apply would change; empty for a conflict of another kind. */
export function conflictsOf({ status }: StatusError): readonly FieldConflict[] {
  const causes = (status.details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict');
  return causes.map(({ field = '', message = '' }) => {
    return { field, manager: managerOf(message) };
  });
}

function managerOf(message = ''): string {
  return /"((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? '';
}

function isClientSide(entry: JsonObject): boolean {
  return clientSideManagers.has(stringAt(entry, 'manager')) && entry.operation === 'Update' && !entry.subresource;
}

/** The union of two sets of fields in the form of `fieldsV1`. */
function unionFields(one: JsonValue, other: JsonValue): JsonValue {
  if (!isJsonObject(one) || !isJsonObject(other)) return one;
  const union = copyJsonObject(one);
  for (const [key, value] of Object.entries(other)) {
    const known = Object.hasOwn(union, key) ? union[key] : undefined;
    setOwn(union, key, known === undefined ? value : unionFields(known, value));
  }
  return union;
}
