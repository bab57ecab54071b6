import type { JsonObject } from '../../../meta/json-value.ts';
import { annotationsOf, setAnnotations } from '../../../meta/object-meta.ts';
import { isSet, makeObjectAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import type { KnownLimitRange, LimitItem } from './limit-item.ts';

/** The lists of containers, and how the annotation names their items. */
const containerLists = [
  ['containers', 'container'],
  ['initContainers', 'init container'],
] as const;

/** The kinds of defaults, and how the annotation names them. */
const defaultKinds = [
  ['requests', 'request'],
  ['limits', 'limit'],
] as const;

/**
 * Gives the containers of a Pod the default requests and limits of a limit range, and lists them
 * in an annotation. Mutates.
 */
export function setDefaultAmounts(pod: JsonObject, { defaulting }: KnownLimitRange, annotation: string): void {
  if (defaulting.length === 0) return;
  const spec = objectAt(pod, 'spec');
  const notes: string[] = [];
  for (const [list, kind] of containerLists) {
    for (const container of objectsAt(spec, list)) {
      for (const item of defaulting) setAmounts(container, item, kind, notes);
    }
  }
  if (notes.length === 0) return;
  setAnnotations(pod, { ...annotationsOf(pod), [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` });
}

/** Adds a note for each list of amounts that were missing. */
function setAmounts(container: JsonObject, { defaults }: LimitItem, kind: string, notes: string[]): void {
  for (const [field, word] of defaultKinds) {
    const own = objectAt(container, 'resources', field);
    if (defaults[field].every(([resource]) => isSet(own, resource))) continue;
    const missing = defaults[field].filter(([resource]) => !isSet(own, resource));
    const amounts = makeObjectAt(makeObjectAt(container, 'resources'), field);
    for (const [resource, amount] of missing) amounts[resource] = amount;
    const names = missing.map(([resource]) => resource).join(', ');
    notes.push(`${names} ${word} for ${kind} ${stringAt(container, 'name')}`);
  }
}
