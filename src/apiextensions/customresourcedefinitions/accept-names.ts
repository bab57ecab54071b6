import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { isSet, objectAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import { conditionOf, type DefinitionCondition, isConditionTrue, withCondition } from './conditions.ts';

/** The names that others of a group have: those of resources, and those of kinds. */
interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/**
 * The definition with the names that it may use and the conditions `NamesAccepted` and
 * `Established`. `others` are all definitions, of which those of its group have their accepted
 * names. Returns the definition itself if nothing changes.
 */
export function acceptNames(crd: JsonObject, others: Iterable<JsonObject>): JsonObject {
  const used = namesUsed(crd, others);
  const { names, conflict } = chooseNames(crd, used);
  const accepted = withNames(crd, names);
  const conditioned = withCondition(
    accepted,
    conflict ?? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
  );
  return withEstablished(conditioned, conflict === undefined);
}

/** An established definition stays so, whatever becomes of its names. */
function withEstablished(crd: JsonObject, hasNames: boolean): JsonObject {
  if (isConditionTrue(crd, 'Established') || (!hasNames && conditionOf(crd, 'Established'))) return crd;
  const established = hasNames
    ? ({ status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' } as const)
    : ({ status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' } as const);
  return withCondition(crd, { type: 'Established', ...established });
}

function namesUsed(crd: JsonObject, others: Iterable<JsonObject>): UsedNames {
  const group = stringAt(objectAt(crd, 'spec'), 'group');
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of others) {
    if (nameOf(other) === nameOf(crd) || stringAt(objectAt(other, 'spec'), 'group') !== group) continue;
    const names = objectAt(other, 'status', 'acceptedNames');
    for (const name of [stringAt(names, 'plural'), stringAt(names, 'singular'), ...stringsAt(names, 'shortNames')]) {
      resources.add(name);
    }
    for (const name of [stringAt(names, 'kind'), stringAt(names, 'listKind')]) kinds.add(name);
  }
  return { resources, kinds };
}

interface ChosenNames {
  readonly names: JsonObject;
  readonly conflict: DefinitionCondition | undefined;
}

const checkedNames = [
  { field: 'plural', reason: 'PluralConflict', among: 'resources' },
  { field: 'singular', reason: 'SingularConflict', among: 'resources' },
  { field: 'kind', reason: 'KindConflict', among: 'kinds' },
  { field: 'listKind', reason: 'ListKindConflict', among: 'kinds' },
] as const;

/** A name that another one has stays what it was. */
function chooseNames(crd: JsonObject, used: UsedNames): ChosenNames {
  const wanted = objectAt(crd, 'spec', 'names');
  const before = objectAt(crd, 'status', 'acceptedNames');
  const isTaken = (name: string, among: keyof UsedNames): boolean => used[among].has(name);
  const conflicts: DefinitionCondition[] = [];
  const names: JsonObject = {};
  for (const { field, reason, among } of checkedNames) {
    const name = stringAt(wanted, field);
    const isFree = name === stringAt(before, field) || !isTaken(name, among);
    if (!isFree) conflicts.push(conflictOf(reason, [name]));
    names[field] = isFree ? name : stringAt(before, field);
  }
  const known = stringsAt(before, 'shortNames');
  const taken = stringsAt(wanted, 'shortNames').filter((name) => !known.includes(name) && isTaken(name, 'resources'));
  if (taken.length > 0) conflicts.push(conflictOf('ShortNamesConflict', taken));
  const shortNames = taken.length > 0 ? known : stringsAt(wanted, 'shortNames');
  if (shortNames.length > 0) names['shortNames'] = [...shortNames];
  if (isSet(wanted, 'categories')) names['categories'] = [...stringsAt(wanted, 'categories')];
  return { names, conflict: conflicts.at(-1) };
}

function conflictOf(reason: string, names: readonly string[]): DefinitionCondition {
  const each = names.map((name) => `${JSON.stringify(name)} is already in use`);
  const message = each.length > 1 ? `[${each.join(', ')}]` : (each[0] ?? '');
  return { type: 'NamesAccepted', status: 'False', reason, message };
}

function withNames(crd: JsonObject, names: JsonObject): JsonObject {
  const before = objectAt(crd, 'status', 'acceptedNames');
  const fields = ['plural', 'singular', 'shortNames', 'kind', 'listKind', 'categories'];
  const textOf = (object: JsonObject): string => JSON.stringify(fields.map((field) => object[field] ?? null));
  const filled = Object.fromEntries(Object.entries(names).filter(([, value]) => value !== ''));
  if (textOf(before) === textOf(filled)) return crd;
  return { ...crd, status: { ...objectAt(crd, 'status'), acceptedNames: { plural: '', kind: '', ...filled } } };
}
