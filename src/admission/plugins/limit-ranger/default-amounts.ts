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
export function setDefaultAmounts(pod: JsonObject, { items }: KnownLimitRange, annotation: string): void {
  const spec = objectAt(pod, 'spec');
  const limits = items.filter(({ type }) => type === 'Container');
  const notes = containerLists.flatMap(([list, kind]) =>
    objectsAt(spec, list).flatMap((container) => limits.flatMap((limit) => setAmounts(container, limit, kind))),
  );
  if (notes.length === 0) return;
  setAnnotations(pod, { ...annotationsOf(pod), [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` });
}

/** Returns a text for each list of amounts that were missing. */
function setAmounts(container: JsonObject, { defaults }: LimitItem, kind: string): readonly string[] {
  return defaultKinds.flatMap(([field, word]) => {
    const own = objectAt(container, 'resources', field);
    const missing = defaults[field].filter(([resource]) => !isSet(own, resource));
    if (missing.length === 0) return [];
    const amounts = makeObjectAt(makeObjectAt(container, 'resources'), field);
    for (const [resource, amount] of missing) amounts[resource] = amount;
    return [`${missing.map(([resource]) => resource).join(', ')} ${word} for ${kind} ${stringAt(container, 'name')}`];
  });
}
