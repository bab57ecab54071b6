import type { ApiObject } from '../../client/api-object.ts';
import type { Informer } from '../../client/informers/informer.ts';
import { controllerOf } from './controller-reference.ts';

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
