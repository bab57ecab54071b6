import type { Container, Pod } from '../../../gen/stored/core-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { setAnnotations } from '../../../meta/object-meta.ts';
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
export function setDefaultAmounts(pod: Pod, { defaulting }: KnownLimitRange, annotation: string): void {
  if (defaulting.length === 0) return;
  const notes: string[] = [];
  for (const [list, kind] of containerLists) {
    for (const container of pod.spec[list] ?? []) {
      for (const item of defaulting) setAmounts(container, item, kind, notes);
    }
  }
  if (notes.length === 0) return;
  setAnnotations(pod, { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` });
}

/** Adds a note for each list of amounts that were missing. */
function setAmounts({ name, resources }: Container, { defaults }: LimitItem, kind: string, notes: string[]): void {
  for (const [field, word] of defaultKinds) {
    const own = resources[field] ?? {};
    const missing = defaults[field].filter(([resource]) => getOwn(own, resource) === undefined);
    if (missing.length === 0) continue;
    resources[field] = { ...own, ...Object.fromEntries(missing) };
    const names = missing.map(([resource]) => resource).join(', ');
    notes.push(`${names} ${word} for ${kind} ${name}`);
  }
}
