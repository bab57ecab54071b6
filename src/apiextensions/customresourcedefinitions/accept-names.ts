import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '../../gen/stored/apiextensions-v1.ts';
import { sameValue } from '../../meta/read-field.ts';
import { conditionOf, type DefinitionCondition, isConditionTrue, withCondition } from './definition-condition.ts';

/** The names of the other definitions of a group: names of resources, and names of kinds. */
interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/**
 * The definition with the names that it may use and the conditions `NamesAccepted` and
 * `Established`. `others` are all definitions; the accepted names of the others in its group are
 * taken. Returns the definition itself if nothing changes.
 */
export function acceptNames(
  crd: CustomResourceDefinition,
  others: Iterable<CustomResourceDefinition>,
): CustomResourceDefinition {
  const used = namesUsed(crd, others);
  const { names, conflict } = chooseNames(crd, used);
  const accepted = withNames(crd, names);
  const conditioned = withCondition(
    accepted,
    conflict ?? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
  );
  return withEstablished(conditioned, conflict === undefined);
}

/** The definition with the condition `Established`, which stays True even if names are lost. */
function withEstablished(crd: CustomResourceDefinition, hasNames: boolean): CustomResourceDefinition {
  if (isConditionTrue(crd, 'Established') || (!hasNames && conditionOf(crd, 'Established'))) return crd;
  const established = hasNames
    ? ({ status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' } as const)
    : ({ status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' } as const);
  return withCondition(crd, { type: 'Established', ...established });
}

function namesUsed(crd: CustomResourceDefinition, others: Iterable<CustomResourceDefinition>): UsedNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of others) {
    if (other.metadata.name === crd.metadata.name || other.spec.group !== crd.spec.group) continue;
    const { plural, singular = '', shortNames = [], kind, listKind = '' } = other.status.acceptedNames;
    for (const name of [plural, singular, ...shortNames]) resources.add(name);
    for (const name of [kind, listKind]) kinds.add(name);
  }
  return { resources, kinds };
}

interface ChosenNames {
  readonly names: CustomResourceDefinitionNames;
  readonly conflict: DefinitionCondition | undefined;
}

const checkedNames = [
  { field: 'plural', reason: 'PluralConflict', among: 'resources' },
  { field: 'singular', reason: 'SingularConflict', among: 'resources' },
  { field: 'kind', reason: 'KindConflict', among: 'kinds' },
  { field: 'listKind', reason: 'ListKindConflict', among: 'kinds' },
] as const;

/** Chooses the names of a definition. If another one has a name, the previous name stays. */
function chooseNames({ spec, status }: CustomResourceDefinition, used: UsedNames): ChosenNames {
  const wanted = spec.names;
  const before = status.acceptedNames;
  const conflicts: DefinitionCondition[] = [];
  const names: CustomResourceDefinitionNames = { plural: '', kind: '' };
  for (const { field, reason, among } of checkedNames) {
    const name = wanted[field] ?? '';
    const isFree = name === (before[field] ?? '') || !used[among].has(name);
    if (!isFree) conflicts.push(conflictOf(reason, [name]));
    names[field] = isFree ? name : (before[field] ?? '');
  }
  const { shortNames: known = [] } = before;
  const { shortNames = [], categories } = wanted;
  const taken = shortNames.filter((name) => !known.includes(name) && used.resources.has(name));
  if (taken.length > 0) conflicts.push(conflictOf('ShortNamesConflict', taken));
  const free = taken.length > 0 ? known : shortNames;
  if (free.length > 0) names.shortNames = [...free];
  if (categories) names.categories = [...categories];
  return { names, conflict: conflicts.at(-1) };
}

function conflictOf(reason: string, names: readonly string[]): DefinitionCondition {
  const each = names.map((name) => `${JSON.stringify(name)} is already in use`);
  const message = each.length > 1 ? `[${each.join(', ')}]` : (each[0] ?? '');
  return { type: 'NamesAccepted', status: 'False', reason, message };
}

const nameFields = ['plural', 'singular', 'shortNames', 'kind', 'listKind', 'categories'] as const;

function withNames(crd: CustomResourceDefinition, names: CustomResourceDefinitionNames): CustomResourceDefinition {
  const { acceptedNames: before } = crd.status;
  if (nameFields.every((name) => sameValue(before[name] || null, names[name] || null))) return crd;
  const { plural, kind, ...others } = names;
  const filled = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''));
  return { ...crd, status: { ...crd.status, acceptedNames: { plural, kind, ...filled } } };
}
