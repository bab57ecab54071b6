import type { Plane } from './planes.ts';

/** An object as a client sees it. */
export interface ReadObject {
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly selfLink?: string;
    readonly managedFields?: readonly { readonly subresource?: string }[];
  };
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
}

/** Reads all objects of all kinds that a server serves, by version, resource, namespace and name. */
export async function readAll({ send }: Plane): Promise<ReadonlyMap<string, ReadObject>> {
  const { groups } = (await send('GET', '/apis')) as {
    readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  };
  const paths = [
    '/api/v1',
    ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`)),
  ];
  const objects = new Map<string, ReadObject>();
  for (const at of paths) {
    const { resources } = (await send('GET', at).catch(() => ({ resources: [] }))) as ResourceList;
    for (const { name, verbs } of resources) {
      if (!verbs.includes('list') || name.includes('/') || name === 'componentstatuses') continue;
      const { items } = (await send('GET', `${at}/${name}`)) as { readonly items: readonly ReadObject[] };
      for (const item of items) {
        objects.set([at, name, item.metadata.namespace ?? '', item.metadata.name].join(' '), item);
      }
    }
  }
  process.stdout.write(`  ${objects.size} objects are read\n`);
  return objects;
}
