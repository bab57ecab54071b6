import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { StorageDefinition } from '../../../src/registry/definition/resource-definition.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { resourceSegment } from '../../../src/storage/port/object-key.ts';
import { widgetsAt } from '../custom-resources/widgets.ts';
import { minimalObject } from '../minimal-objects.ts';

const identifiers = identifiersOf('cluster');

/** One collection: where it is served and stored. */
export interface Collection {
  readonly path: string;
  readonly namespace: string;
  readonly storage: Pick<StorageDefinition, 'group' | 'resource'> & Partial<Pick<StorageDefinition, 'schema'>>;
  readonly good: object;
}

/** Every kind of the catalogue, and widgets of a group. */
export function collectionsOf(group: string): readonly Collection[] {
  const found = new Map<string, Collection>();
  for (const info of builtInCatalogue(identifiers).current.resources) {
    const { storage, group: ofGroup, resource, namespaced } = info;
    const [version] = info.versions;
    if (!storage || !version || found.has(resourceSegment(storage))) continue;
    const root = ofGroup === '' ? `/api/${version.version}` : `/apis/${ofGroup}/${version.version}`;
    found.set(resourceSegment(storage), {
      path: `${root}${namespaced ? '/namespaces/default' : ''}/${resource}`,
      namespace: namespaced ? 'default' : '',
      storage,
      good: minimalObject(info, identifiers, 'good', version.version),
    });
  }
  const storage = { group, resource: 'widgets' };
  const good = { kind: 'Widget', metadata: { name: 'good' }, spec: { size: 1 } };
  found.set('widgets', { path: widgetsAt(group), namespace: 'default', storage, good });
  return [...found.values()];
}
