import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Difference } from '../compare.ts';
import { bodyPlace, isOwnership, isStatus, type KnownDifference, ownedField } from './known-difference.ts';

/** Differences of applies, of patches, and of who owns what after them. */
export const applyDifferences: readonly KnownDifference[] = [
  {
    row: 'applied-defaults',
    matches: (difference, { step, reference, ours }) =>
      step.type?.includes('apply') === true &&
      (isStatus(difference)
        ? reference.status === 422 && ours.status === 200
        : difference.ours === undefined && JSON.stringify(difference.reference) === '{}'),
  },
  {
    row: 'release-applied-empties',
    matches: (difference, { step }) =>
      step.type?.includes('apply') === true &&
      difference.reference === undefined &&
      (ownedField(difference) !== undefined || bodyPlace(difference).endsWith('metadata/managedFields')) &&
      /\{\}|null|~/.test(step.text ?? JSON.stringify(step.body ?? null)),
    lasts: (difference, exchange) => isOwnership(difference, exchange) || isLeftEmpty(difference),
  },
  {
    row: 'release-applied-numbers',
    matches: (difference, { step, reference }) =>
      step.type?.includes('apply') === true &&
      isStatus(difference) &&
      reference.status === 500 &&
      /expected string, got &value\.valueUnstructured/.test(JSON.stringify(reference.body)),
  },
  {
    row: 'doubled-items',
    matches: (difference, { reference, ours }) =>
      isStatus(difference)
        ? reference.status === 500 && /failed to create typed live object/.test(JSON.stringify(reference.body))
        : difference.path.includes('managedFields') && hasDoubles(ours.body),
    lasts: isOwnership,
  },
  {
    row: 'empty-bytes',
    matches: (difference, { subject, reference }) =>
      /^(?:configmaps|secrets)$/.test(subject.info.resource) &&
      (isStatus(difference)
        ? /field is immutable when `immutable` is set/.test(JSON.stringify(reference.body))
        : /^(?:f:)?(?:binaryD|d)ata\b/.test(ownedField(difference) ?? bodyPlace(difference))) &&
      JSON.stringify(reference.body).includes('":""'),
    lasts: isOwnership,
  },
  {
    row: 'conflict-paths',
    matches: (difference, { reference, ours }) =>
      bodyPlace(difference).endsWith(' FieldManagerConflict') &&
      conflictCount(reference.body) === conflictCount(ours.body),
  },
  {
    row: 'merge-directive',
    matches: (difference, { step, reference }) =>
      isStatus(difference) &&
      reference.status === 500 &&
      step.type?.includes('strategic') === true &&
      /unknown patch type: merge|merging lists cannot yet/.test(JSON.stringify(reference.body)),
  },
  {
    row: 'random-directive',
    matches: ({ path }, { step }) =>
      step.type?.includes('strategic') === true &&
      listsWithDeletions(step.body ?? null).some((list) => path.some((key) => isOfList(String(key), list))),
  },
];

/** The lists from which a strategic merge patch takes items by a directive. */
function listsWithDeletions(patch: JsonValue): string[] {
  return [...JSON.stringify(patch).matchAll(/"\$deleteFromPrimitiveList\/([^"]+)"/g)].map(([, list = '']) => list);
}

/** Whether a key of a place names a list, its owner, or an error in it. */
function isOfList(key: string, list: string): boolean {
  return key === list || key === `f:${list}` || (key.includes(' ') && key.split(/[ .[]/).includes(list));
}

/** An empty value that its applier has taken away from ours alone. */
function isLeftEmpty({ reference, ours }: Difference): boolean {
  return ours === undefined && JSON.stringify(reference) === '{}';
}

/** How many conflicts the message of a refused apply counts. */
function conflictCount(body: JsonValue): string | undefined {
  return /Apply failed with (\d+) conflict/.exec(JSON.stringify(body))?.[1];
}

/** Fields of which one tells the items of a list apart. */
const keys = ['name', 'containerPort', 'port', 'type', 'ip', 'mountPath', 'devicePath', 'uid', 'topologyKey', 'key'];

/** Whether some list has items that look like one item twice. */
function hasDoubles(value: JsonValue): boolean {
  if (Array.isArray(value)) return isDoubled(value) || value.some(hasDoubles);
  return (
    isJsonObject(value) && Object.entries(value).some(([key, part]) => key !== 'managedFields' && hasDoubles(part))
  );
}

function isDoubled(items: readonly JsonValue[]): boolean {
  const objects = items.filter(isJsonObject);
  if (objects.length === 0) return new Set(items).size < items.length;
  return keys.some((key) => new Set(objects.map((item) => item[key])).size < objects.length);
}
