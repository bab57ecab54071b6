import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { patchMediaTypes } from '../body/read-patch.ts';

/** A query parameter in OpenAPI v2. */
interface QueryParameter {
  readonly in: 'query';
  readonly name: string;
  readonly type: 'string' | 'boolean';
  readonly description: string;
}

/** The PATCH operation of a path. */
interface PatchOperation {
  readonly operationId: string;
  readonly consumes: readonly string[];
  readonly parameters: readonly QueryParameter[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly [extension: `x-${string}`]: unknown;
}

/** The paths of a document, with their operations. */
export type OpenApiPaths = Readonly<Record<string, { readonly patch: PatchOperation }>>;

const query = (name: string, type: QueryParameter['type'], description: string): QueryParameter => ({
  in: 'query',
  name,
  type,
  description,
});

const parameters: readonly QueryParameter[] = [
  query('dryRun', 'string', 'All: all stages are processed, but the result is not persisted.'),
  query('fieldManager', 'string', 'The name of the client that manages the fields it sets; required for an apply.'),
  query('fieldValidation', 'string', 'How unknown and duplicate fields are handled: Ignore, Warn or Strict.'),
  query('force', 'boolean', 'If true, an apply takes over conflicting fields from their managers.'),
  query('pretty', 'string', 'If true, the response is indented.'),
];

/**
 * Returns the PATCH operations of all resources. kubectl reads them to see if a kind supports dry
 * run; it uses no other operation.
 */
export function patchPaths(catalogue: Catalogue, { schemaExtensionPrefix: prefix }: Identifiers): OpenApiPaths {
  const paths: Record<string, { patch: PatchOperation }> = {};
  for (const info of catalogue.resources) {
    for (const { version, verbs } of info.versions) {
      if (!verbs.includes('patch')) continue;
      const { group, kind, resource } = info;
      paths[pathOf(info, version)] = {
        patch: {
          operationId: `patch ${[group, version, resource].filter((word) => word !== '').join('/')}`,
          consumes: patchMediaTypes,
          parameters,
          responses: { 200: { description: 'The patched object.' } },
          [`x-${prefix.slice(2)}action`]: 'patch',
          [`x-${prefix.slice(2)}group-version-kind`]: { group, kind, version },
        },
      };
    }
  }
  return paths;
}

function pathOf({ group, resource, namespaced }: ResourceDefinition, version: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${resource}/{name}`;
}
