import type { ServedResource } from '../../registry/definition/catalogue.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import type { SubresourceDefinition, Verb, VersionDefinition } from '../../registry/definition/resource-definition.ts';
import type { Strategy } from '../../registry/definition/strategy.ts';
import { isSince, newestRelease } from '../../scheme/api-release.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { schemaOf } from '../../scheme/schema-of.ts';
import { patchMediaTypes } from '../body/read-patch.ts';
import {
  capitalised,
  groupName,
  groupTag,
  type GroupVersionKind,
  type Method,
  type OpenApiNames,
  type Operation,
  type OperationResponse,
  type PathItem,
  listSchemaOf,
} from './operation.ts';
import { fieldParameters, inOrder, pathParameters, queryParameters } from './query-parameters.ts';

/** Returns the paths of a resource in one version, of its sub-resources and of its watches. */
export function resourcePaths(served: ServedResource, names: OpenApiNames): readonly PathItem[] {
  const place = placeOf(served, names);
  const { subresources } = served.version;
  const connects = names.connects.filter(
    ({ group, resource }) => group === served.info.group && resource === served.info.resource,
  );
  return [
    verbPath(place, place.collection, ['list', 'create', 'deletecollection']),
    verbPath(place, place.object, ['get', 'update', 'patch', 'delete']),
    ...(served.info.namespaced ? [verbPath(place, place.everywhere, ['list'])] : []),
    ...subresources.map((subresource) => subresourcePath(place, subresource)),
    ...connects.flatMap((connect) => connectPaths(place, connect)),
    // Watch paths of custom resources are served, too, but not described, as in kube-apiserver.
    ...(served.version.verbs.includes('watch') && !served.info.isCustom ? watchPaths(place) : []),
  ].filter(({ operations }) => operations.length > 0);
}

/** The schema of a version as OpenAPI describes it. */
export function publishedSchema({ published, schema }: VersionDefinition): ObjectSchema {
  return (published ?? schema)();
}

/** A resource in one version with the names of its operations. */
interface ResourcePlace extends ServedResource {
  readonly names: OpenApiNames;
  readonly schema: ObjectSchema;
  readonly collection: string;
  readonly object: string;
  readonly everywhere: string;
  /** The start of the paths of watches. */
  readonly watched: (path: string) => string;
  /** Group and version in the name of an operation. */
  readonly prefix: string;
  readonly scope: '' | 'Namespaced';
  readonly tag: string;
}

function placeOf(served: ServedResource, names: OpenApiNames): ResourcePlace {
  const { group, resource, namespaced } = served.info;
  const { version } = served.version;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${resource}`;
  return {
    ...served,
    names,
    schema: publishedSchema(served.version),
    collection,
    object: `${collection}/{name}`,
    everywhere: `${root}/${resource}`,
    watched: (path) => `${root}/watch${path.slice(root.length)}`,
    prefix: `${groupName(group, names.identifiers)}${capitalised(version)}`,
    scope: namespaced ? 'Namespaced' : '',
    tag: groupTag(group, names.identifiers, version),
  };
}

function kindOf({ info, version }: ServedResource): GroupVersionKind {
  return { group: info.group, kind: info.kind, version: version.version };
}

/** How a verb appears in OpenAPI: its method, its name in operations, its action, its statuses. */
interface VerbForm {
  readonly method: Method;
  readonly name: string;
  readonly action: string;
  readonly statuses: readonly OperationResponse['status'][];
  readonly says: (kind: string) => string;
}

const forms: Readonly<Record<Verb, VerbForm>> = {
  get: { method: 'get', name: 'read', action: 'get', statuses: [200], says: (kind) => `Returns one ${kind}.` },
  list: {
    method: 'get',
    name: 'list',
    action: 'list',
    statuses: [200],
    says: (kind) => `Returns all objects of kind ${kind}, or watches them.`,
  },
  watch: {
    method: 'get',
    name: 'watch',
    action: 'watch',
    statuses: [200],
    says: (kind) => `Watches objects of kind ${kind}. Deprecated: a list with the parameter watch does the same.`,
  },
  create: {
    method: 'post',
    name: 'create',
    action: 'post',
    statuses: [200, 201, 202],
    says: (kind) => `Creates one ${kind}.`,
  },
  update: {
    method: 'put',
    name: 'replace',
    action: 'put',
    statuses: [200, 201],
    says: (kind) => `Replaces one ${kind}.`,
  },
  patch: {
    method: 'patch',
    name: 'patch',
    action: 'patch',
    statuses: [200, 201],
    says: (kind) => `Patches one ${kind}.`,
  },
  delete: {
    method: 'delete',
    name: 'delete',
    action: 'delete',
    statuses: [200, 202],
    says: (kind) => `Deletes one ${kind}.`,
  },
  deletecollection: {
    method: 'delete',
    name: 'delete',
    action: 'deletecollection',
    statuses: [200],
    says: (kind) => `Deletes all selected objects of kind ${kind}.`,
  },
};

function verbPath(place: ResourcePlace, path: string, verbs: readonly Verb[]): PathItem {
  const { info, version } = place;
  const served = verbs.filter((verb) => version.verbs.includes(verb));
  const isEverywhere = path === place.everywhere && info.namespaced;
  return {
    path,
    operations: served.map((verb) => {
      const scope = isEverywhere ? '' : place.scope;
      const middle = verb === 'deletecollection' ? `Collection${scope}` : scope;
      const id = `${forms[verb].name}${place.prefix}${middle}${info.kind}${isEverywhere ? 'ForAllNamespaces' : ''}`;
      return operationOf(place, path, verb, { id, kind: kindOf(place), schema: place.schema });
    }),
  };
}

interface OperationTarget {
  readonly id: string;
  readonly kind: GroupVersionKind;
  readonly schema: ObjectSchema;
}

function operationOf(place: ResourcePlace, path: string, verb: Verb, { id, kind, schema }: OperationTarget): Operation {
  const { isCustom = false } = place.info;
  const { mediaTypes, fieldsRelease } = place.names;
  const { method, action, statuses, says } = { ...forms[verb], ...(isCustom ? customForms[verb] : {}) };
  const sent = isCustom && verb === 'deletecollection' ? undefined : bodyOf(verb, schema, place.names);
  const result = resultOf(place, verb, schema);
  return {
    method,
    id,
    tag: place.tag,
    description: says(kind.kind),
    action,
    kind,
    parameters: inOrder([...pathParameters(path, kind.kind), ...queryParameters(verb, fieldsRelease, isCustom)]),
    ...(sent ? { body: sent } : {}),
    consumes: verb === 'patch' ? patchMediaTypes(place.schema, mediaTypes) : isCustom ? customMediaTypes : ['*/*'],
    produces: isCustom ? customMediaTypes : producedTypes(verb, place.names),
    responses: statuses.map((status) => ({ status, schema: result })),
  };
}

/** The media types that the documents list for custom kinds; watches of them list none. */
const customMediaTypes = ['application/json', 'application/yaml'];

/** The verbs of custom kinds that the documents describe differently. */
const customForms: Partial<Readonly<Record<Verb, Pick<VerbForm, 'statuses'>>>> = { patch: { statuses: [200] } };

function producedTypes(verb: Verb, { mediaTypes, watchMediaTypes }: OpenApiNames): readonly string[] {
  return verb === 'list' || verb === 'watch' ? [...mediaTypes, ...watchMediaTypes] : mediaTypes;
}

function bodyOf(verb: Verb, schema: ObjectSchema, { fieldsRelease }: OpenApiNames): Operation['body'] {
  if (verb === 'create' || verb === 'update') return { schema, required: true };
  if (verb === 'patch') return { schema: schemaOf('api.meta.v1.Patch'), required: true };
  const removes = verb === 'delete' || verb === 'deletecollection';
  return removes ? { schema: schemaOf('api.meta.v1.DeleteOptions', fieldsRelease), required: false } : undefined;
}

function resultOf({ info, names }: ResourcePlace, verb: Verb, schema: ObjectSchema): ObjectSchema {
  if (verb === 'list') return listSchemaOf(schema, info.listKind, names);
  if (verb === 'watch') return schemaOf('api.meta.v1.WatchEvent', names.fieldsRelease);
  const isStatus = verb === 'deletecollection' || (verb === 'delete' && !returnsDeleted(info.strategy, names));
  return isStatus ? schemaOf('api.meta.v1.Status', names.fieldsRelease) : schema;
}

function returnsDeleted({ returnsDeletedObject: from = false }: Strategy, { fieldsRelease }: OpenApiNames): boolean {
  return typeof from === 'string' ? isSince(fieldsRelease ?? newestRelease, from) : from;
}

function subresourcePath(place: ResourcePlace, { name, verbs, kind }: SubresourceDefinition): PathItem {
  const path = `${place.object}/${name}`;
  const own = kind && { group: kind.group, kind: kind.kind, version: kind.version };
  const schema = kind?.versions.find(({ version }) => version === kind.version)?.schema() ?? place.schema;
  return {
    path,
    operations: verbs.map((verb) => {
      const id = `${forms[verb].name}${place.prefix}${place.scope}${place.info.kind}${capitalised(name)}`;
      // The sub-resources of a custom kind are described with its own kind.
      const described = place.info.isCustom ? undefined : own;
      return operationOf(place, path, verb, { id, kind: described ?? kindOf(place), schema });
    }),
  };
}

/** The deprecated paths of watches: everywhere, of a collection and of an object. */
function watchPaths(place: ResourcePlace): readonly PathItem[] {
  const { info, prefix, scope } = place;
  const base = { kind: kindOf(place), schema: place.schema };
  const watchOf = (path: string, name: string, action: string): PathItem => {
    const watched = place.watched(path);
    const operation = operationOf(place, watched, 'watch', { ...base, id: `watch${prefix}${name}` });
    return { path: watched, operations: [{ ...operation, action }] };
  };
  return [
    ...(info.namespaced ? [watchOf(place.everywhere, `${info.kind}ListForAllNamespaces`, 'watchlist')] : []),
    watchOf(place.collection, `${scope}${info.kind}List`, 'watchlist'),
    watchOf(place.object, `${scope}${info.kind}`, 'watch'),
  ];
}

function connectPaths(place: ResourcePlace, connect: ConnectDefinition): readonly PathItem[] {
  const path = `${place.object}/${connect.subresource}`;
  const item = connectPath(place, connect, path, '');
  return connect.hasPath ? [item, connectPath(place, connect, `${path}/{path}`, 'WithPath')] : [item];
}

function connectPath(place: ResourcePlace, connect: ConnectDefinition, path: string, suffix: string): PathItem {
  const { info, version, prefix, scope, names } = place;
  const { subresource, kind = info.kind, options, reads = false } = connect;
  const name = `${scope}${info.kind}${capitalised(subresource)}${suffix}`;
  const parameters = [
    ...pathParameters(path, kind),
    ...(options ? fieldParameters(options()) : []),
    ...(reads ? queryParameters('get', names.fieldsRelease) : []),
  ];
  return {
    path,
    operations: connect.methods.map((method) => ({
      // The methods of connect sub-resources are among the methods of OpenAPI.
      method: method.toLowerCase() as Method,
      id: reads ? `read${prefix}${name}` : `connect${prefix}${capitalised(method.toLowerCase())}${name}`,
      tag: place.tag,
      description: reads
        ? `Returns the ${subresource} of one ${info.kind}.`
        : `Connects ${method} requests with the ${subresource} of one ${info.kind}.`,
      action: reads ? 'get' : 'connect',
      kind: { group: info.group, kind, version: version.version },
      parameters: inOrder(parameters),
      consumes: ['*/*'],
      produces: reads ? ['text/plain', ...names.mediaTypes] : ['*/*'],
      responses: [{ status: 200, schema: 'text' }],
    })),
  };
}
