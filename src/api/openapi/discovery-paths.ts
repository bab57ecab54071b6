import type { GroupInfo } from '../../registry/definition/catalogue.ts';
import { schemaOf } from '../../scheme/schema-of.ts';
import type { ObjectSchema, Field } from '../../scheme/model/schema.ts';
import {
  capitalised,
  groupName,
  groupTag,
  type DescribedDocument,
  type OpenApiNames,
  type PathItem,
} from './operation.ts';

const fields: Readonly<Record<string, string>> = {
  major: 'Major version of the API.',
  minor: 'Minor version of the API.',
  gitVersion: 'Version of the server, with its major, minor and patch number.',
  gitCommit: 'Commit from which the server was built.',
  gitTreeState: 'Whether the sources had changes beside that commit.',
  buildDate: 'Time of the build.',
  goVersion: 'Version of the language runtime.',
  compiler: 'Compiler of the server.',
  platform: 'Operating system and architecture.',
};

/** The schema of `/version`, which is no kind. */
const versionSchema: ObjectSchema = {
  type: 'object',
  name: 'api.version.v1.Info',
  description: 'The version of a server.',
  fields: new Map(
    Object.entries(fields).map(([name, description], index) => [name, field(name, description, index + 1)]),
  ),
  atomic: false,
  preserveUnknown: false,
};

function field(name: string, description: string, number: number): Field {
  const schema = { type: 'string' } as const;
  return { name, number, description, schema, inlinePath: [], required: true, alwaysPresent: true, explicit: false };
}

/** A path without parameters that returns one document. */
interface DocumentPath {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  readonly schema: ObjectSchema | 'text';
  readonly types: readonly string[];
}

/** Returns the path of `/api/`. */
export function corePath({ mediaTypes }: OpenApiNames): PathItem {
  return documentPath({
    path: '/api/',
    id: 'getCoreAPIVersions',
    tag: 'core',
    description: 'Returns the versions of the core group.',
    schema: schemaOf('api.meta.v1.APIVersions'),
    types: mediaTypes,
  });
}

/** Returns the path of `/apis/`. */
export function groupsPath({ mediaTypes }: OpenApiNames): PathItem {
  return documentPath({
    path: '/apis/',
    id: 'getAPIVersions',
    tag: 'apis',
    description: 'Returns all groups except the core group.',
    schema: schemaOf('api.meta.v1.APIGroupList'),
    types: mediaTypes,
  });
}

/** Returns the path of a group: its versions. */
export function groupPath(group: string, { identifiers, mediaTypes }: OpenApiNames): PathItem {
  return documentPath({
    path: `/apis/${group}/`,
    id: `get${groupName(group, identifiers)}APIGroup`,
    tag: groupTag(group, identifiers),
    description: 'Returns the versions of the group.',
    schema: schemaOf('api.meta.v1.APIGroup'),
    types: mediaTypes,
  });
}

/** Returns the path of a version of a group: its resources. */
export function versionPath(
  { group }: Pick<GroupInfo, 'group'>,
  version: string,
  { identifiers, mediaTypes }: OpenApiNames,
): PathItem {
  return documentPath({
    path: group === '' ? `/api/${version}/` : `/apis/${group}/${version}/`,
    id: `get${groupName(group, identifiers)}${capitalised(version)}APIResources`,
    tag: groupTag(group, identifiers, version),
    description: 'Returns the resources of the version.',
    schema: schemaOf('api.meta.v1.APIResourceList'),
    types: mediaTypes,
  });
}

/** Returns the path of the server's version. */
export function serverVersionPath(): PathItem {
  return documentPath({
    path: '/version/',
    id: 'getCodeVersion',
    tag: 'version',
    description: 'Returns the version of the server.',
    schema: versionSchema,
    types: ['application/json'],
  });
}

/** Returns the path of a document outside the API. */
export function publishedPath({ path, contentType, operation }: DescribedDocument): PathItem {
  return documentPath({ ...operation, path: `${path}/`, schema: 'text', types: [contentType] });
}

function documentPath({ path, id, tag, description, schema, types }: DocumentPath): PathItem {
  const responses = [{ status: 200, schema }] as const;
  return {
    path,
    operations: [{ method: 'get', id, tag, description, parameters: [], consumes: types, produces: types, responses }],
  };
}
