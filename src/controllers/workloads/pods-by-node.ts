import type { ApiObject } from '../../client/api-object.ts';
import type { Informer } from '../../client/informers/informer.ts';

const index = 'node';

/** Adds the index by which `podsOn` finds pods. */
export function indexByNode<T extends ApiObject & { spec?: { nodeName?: string } }>(informer: Informer<T>): void {
  informer.addIndex(index, ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
}

/** The pods of an informer that are bound to a node. */
export function podsOn<T extends ApiObject>(informer: Informer<T>, node: string): T[] {
  return informer.byIndex(index, node);
}
