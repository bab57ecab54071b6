import type { ApiObject } from '../../client/api-object.ts';
import type { Informer } from '../../client/informers/informer.ts';
import { controllerOf } from './controller-reference.ts';
import type { ObjectName } from '../../client/controllers/watch-sources.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import type { LabelSelector } from '../../gen/types/meta-v1.ts';

const index = 'controller';

/** Adds the index by which `controlledBy` and `orphansOf` find the objects of an informer. */
export function indexByController<T extends ApiObject>(informer: Informer<T>): void {
  informer.addIndex(index, (object) => [controllerOf(object)?.uid ?? orphanValue(object.metadata?.namespace ?? '')]);
}

/** The objects of an informer that are controlled by the object with a uid. */
export function controlledBy<T extends ApiObject>(informer: Informer<T>, uid: string): T[] {
  return informer.byIndex(index, uid);
}

/** The objects of a namespace that nothing controls. */
export function orphansIn<T extends ApiObject>(informer: Informer<T>, namespace: string): T[] {
  return informer.byIndex(index, orphanValue(namespace));
}

/** No uid contains a slash. */
function orphanValue(namespace: string): string {
  return `orphans/${namespace}`;
}

/**
 * Names the objects that may adopt an orphan: their selectors match it, in its namespace. Nothing
 * is named for an object that is controlled, because its owner is found by its reference.
 */
export function selectingOwners<T extends ApiObject>(
  owners: Informer<T>,
  selectorOf: (owner: T) => LabelSelector | undefined,
): (object: ApiObject) => readonly ObjectName[] {
  return (object) => {
    const { namespace = '', labels } = object.metadata ?? {};
    if (controllerOf(object) || !labels) return [];
    return owners
      .list({ namespace })
      .filter((owner) => selects(selectorOf(owner), labels))
      .map(({ metadata }) => ({ namespace, name: metadata?.name ?? '' }));
  };
}

/** True if a selector matches labels. An empty one of a workload selects nothing. */
function selects(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>>): boolean {
  return !isEmptySelector(selector) && matchLabelSelector(selector as JsonObject | undefined)(labels);
}

/** True if a selector has no requirement. */
export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
