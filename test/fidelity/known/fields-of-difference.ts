import type { JsonValue } from '../../../src/meta/json-value.ts';
import type { Difference } from '../compare.ts';
import { type JsonPath, textAt, valueAt } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import { leavesOf } from './field-trees.ts';
import { bodyPlace, type Exchange, type FieldNames, isStatus, type MetDifference } from './known-difference.ts';

/**
 * The fields of the object that a difference is about: its own place, the field that an owner has or that a cause
 * names, or all that a refusal names which only one server has.
 */
export function fieldsOfDifference(difference: Difference, { reference, ours }: Exchange): readonly FieldNames[] {
  const managers = difference.path.indexOf('managedFields');
  if (managers >= 0) return [namesOfOwned(difference.path.slice(managers + 2))];
  if (isStatus(difference)) {
    const refusals = [reference, ours].filter(({ status }) => status >= 400);
    // A conflict is found before an object is validated.
    const conflicts = refusals.filter(({ status }) => status === 409);
    return (conflicts.length === 1 ? conflicts : refusals).flatMap(({ body }) => causeFields(body));
  }
  const place = bodyPlace(difference);
  const [, cause] = /^details\/causes\/(.*) \S+$/.exec(place) ?? [];
  return [cause === undefined ? namesOfPlace(difference) : namesOfCause(cause)];
}

/** All fields that managers own whom only one server knows. */
export function fieldsOfManagers(difference: Difference): readonly FieldNames[] {
  if (!bodyPlace(difference).endsWith('metadata/managedFields')) return [];
  const managers = difference.reference ?? difference.ours ?? null;
  return leavesOf(managers).map(namesOfOwned);
}

/** Whether all that a difference is about is in, or around, places of which some are given. */
export function isAbout(difference: Difference, exchange: Exchange, places: readonly FieldNames[]): boolean {
  const about = fieldsOfDifference(difference, exchange);
  return about.length > 0 && about.every((place) => places.some((other) => isOneInOther(place, other)));
}

/** Whether a difference is where an earlier one of its row was: that one stayed in the object. */
export function isWhereMet(difference: Difference, exchange: Exchange, met: readonly MetDifference[]): boolean {
  const places = met.flatMap((each) => each.places);
  const isRefusal = isStatus(difference) || bodyPlace(difference).startsWith('details/');
  return isAbout(difference, exchange, places) || (isRefusal && isJsonPatchOf(exchange.step, places));
}

/** Where one server alone changed the object, it has an event more, and later events have other indexes. */
export function isOfEventMore(
  difference: Difference,
  { normalReference, normalOurs }: Exchange,
  met: readonly MetDifference[],
): boolean {
  const [, name] = /^events\/([^/]+)\//.exec(bodyPlace(difference)) ?? [];
  if (name === undefined || met.every(({ isOwner }) => isOwner === true)) return false;
  const [one, other] = [normalReference, normalOurs].map((response) => valueAt(response, ['body', 'events', name]));
  return Array.isArray(one) && Array.isArray(other) && one.length !== other.length;
}

/** Whether a difference is that of a generation, of an object or of the template of a DaemonSet. */
export function isOfGeneration(difference: Difference): boolean {
  return /(?:^|\/)metadata\/(?:generation|annotations\/deprecated\.daemonset\.template\.generation)$/.test(
    bodyPlace(difference),
  );
}

/** A JSON patch fails where it removes or tests what one server alone has. */
function isJsonPatchOf({ type, body }: SequenceStep, places: readonly FieldNames[]): boolean {
  if (!type?.includes('json-patch') || !Array.isArray(body)) return false;
  const paths = body.flatMap((operation) => [textAt(operation, ['path']), textAt(operation, ['from'])]);
  return paths.some((path) => places.some((place) => isOneInOther(namesOfPointer(path), place)));
}

function namesOfPointer(pointer: string): FieldNames {
  return pointer.split('/').filter((name) => name !== '' && !/^(?:\d+|-)$/.test(name));
}

/**
 * Whether one of two places is inside the other, or they are one. The object as a whole is no place. A key with dots is
 * one name of a field, and several in the field of a cause.
 */
function isOneInOther(one: FieldNames, other: FieldNames): boolean {
  const [inner, outer] = [dotted(one), dotted(other)];
  return one.length > 0 && (inner.startsWith(outer) || outer.startsWith(inner));
}

function dotted(names: FieldNames): string {
  return names.map((name) => `${name}.`).join('');
}

function causeFields(body: JsonValue): readonly FieldNames[] {
  const causes = valueAt(body, ['details', 'causes']);
  return Array.isArray(causes) ? causes.map((cause) => namesOfCause(textAt(cause, ['field']))) : [];
}

/** Types and fields that causes name in place of a field of the object. */
const placesOfTypes: ReadonlyMap<string, string> = new Map([
  ['CSINodeDriver', 'spec.drivers'],
  ['nodeAffinity', 'spec.nodeAffinity.required'],
  ['spec.persistentvolumesource', 'spec'],
  ['volumeMode', 'spec.volumeMode'],
]);

/** The field that a cause names: `spec.ports[0].name` and `.spec.ports[port=1].name` are both [spec, ports, name]. */
export function namesOfCause(field: string): FieldNames {
  const place = placesOfTypes.get(field) ?? field;
  return place
    .replaceAll(/\[[^\]]*\]/g, '')
    .split('.')
    .filter((name) => name !== '');
}

/** `f:spec`, `k:{"name":"c"}`, `f:image` is [spec, image]. */
function namesOfOwned(owned: JsonPath): FieldNames {
  return owned
    .map(String)
    .filter((name) => name.startsWith('f:'))
    .map((name) => name.slice(2));
}

/** Inside an object: answers may be lists of them, and watches have events of them. */
function namesOfPlace({ path }: Difference): FieldNames {
  const [, kind] = path;
  const inObject = kind === 'items' ? path.slice(3) : kind === 'events' ? path.slice(5) : path.slice(1);
  return inObject.filter((key) => typeof key === 'string');
}
