import type { JsonObject } from '../../src/meta/json-value.ts';
import type { VersionDefinition } from '../../src/registry/definition/resource-definition.ts';

/** A request that creates or changes, and the rights that it needs. */
export interface WriteRow {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
  readonly needs: readonly string[];
}

/** What is written: an object of one version of a kind. */
export interface Written {
  readonly collection: string;
  readonly name: string;
  readonly object: JsonObject;
  /** False if the object does not exist, so that some updates create it. */
  readonly exists: boolean;
  /** True if a PUT creates a missing object of the kind. */
  readonly createsOnUpdate: boolean;
  readonly version: Pick<VersionDefinition, 'verbs' | 'subresources'>;
}

const json = 'application/json';

/** The patch types, each with a patch that changes nothing. */
const patches: readonly (readonly [type: string, body: unknown])[] = [
  ['application/json-patch+json', []],
  ['application/merge-patch+json', {}],
  ['application/strategic-merge-patch+json', {}],
];

/** Every write to a collection, an object and its sub-resources; those that create also as dry runs. */
export function everyWrite(written: Written): readonly WriteRow[] {
  const { version } = written;
  const subresources = version.subresources.flatMap((subresource) =>
    rowsOf(written, subresource.verbs, `/${subresource.name}`),
  );
  const rows = [...rowsOf(written, version.verbs, ''), ...subresources];
  return rows.flatMap((row) => {
    if (!row.needs.includes('create')) return [row];
    return [row, { ...row, path: `${row.path}${row.path.includes('?') ? '&' : '?'}dryRun=All` }];
  });
}

function rowsOf(written: Written, verbs: readonly string[], subresource: string): readonly WriteRow[] {
  const { collection, name, object, createsOnUpdate, exists } = written;
  const path = `${collection}/${name}${subresource}`;
  const makes = (does: boolean): readonly string[] => (does && !exists && subresource === '' ? ['create'] : []);
  const rows: Readonly<Record<string, readonly WriteRow[]>> = {
    create: [{ method: 'POST', path: subresource ? path : collection, type: json, body: object, needs: ['create'] }],
    update: [{ method: 'PUT', path, type: json, body: object, needs: ['update', ...makes(createsOnUpdate)] }],
    patch: [
      ...patches.map(([type, body]) => ({ method: 'PATCH', path, type, body, needs: ['patch'] })),
      {
        method: 'PATCH',
        path: `${path}?fieldManager=me`,
        type: 'application/apply-patch+yaml',
        body: object,
        needs: ['patch', ...makes(true)],
      },
    ],
    delete: [{ method: 'DELETE', path, type: json, body: undefined, needs: ['delete'] }],
    deletecollection: [
      { method: 'DELETE', path: collection, type: json, body: undefined, needs: ['deletecollection'] },
    ],
  };
  return verbs.flatMap((verb) => rows[verb] ?? []);
}
