import { mutate, validate } from '../admission/admission.ts';
import { encodeJson } from '../codec/encode-json.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { nameOf, namespaceOf, setMeta } from '../meta/object-meta.ts';
import { applyDefaults } from '../scheme/apply-defaults.ts';
import type { SubresourceKind } from './resource-definition.ts';
import { validateSchema } from '../scheme/validate-schema.ts';
import { badRequest, invalidObject, notServed } from '../status/status-error.ts';
import { attributesOf } from './admit.ts';
import { decodeBody } from './decode-request.ts';
import { objectAccess } from './object-access.ts';
import type { ObjectsOf } from './objects-of.ts';
import type { RequestScope, VersionedObject, WriteOptions } from './registry.ts';
import type { ServedVersion, StoredResource } from './stored-resource.ts';
import { kindOf, versionsOfKind } from './subresource-view.ts';

/** Takes a create of a sub-resource: an object of another kind that says what is to be done to its parent. */
export async function createSubresource(
  resource: StoredResource,
  scope: RequestScope,
  body: JsonObject,
  options: WriteOptions,
): Promise<VersionedObject> {
  const create = resource.strategy.subresources?.[scope.subresource]?.create;
  if (!create) throw notServed();
  const kind = kindOf(resource, scope);
  const version = sentVersion(kind, body);
  const object = await decodeBody(resource, version, body, scope, options);
  applyDefaults(version.schema, object);
  settleIdentity(kind, scope, object);
  await admit(mutate, { resource, scope, options, object, kind, version });
  const errors = validateSchema(version.schema, object);
  if (errors.length > 0) throw invalidObject({ group: kind.group, resource: kind.kind }, scope.name, errors);
  await admit(validate, { resource, scope, options, object, kind, version });
  const objectsOf: ObjectsOf = (shortGroup, plural, dryRun = false) => {
    const other = resource.stored(shortGroup, plural);
    if (!other) throw notServed();
    return objectAccess(other, scope, dryRun || options.dryRun);
  };
  const answer = await create(object, objectsOf, { ...scope, dryRun: options.dryRun });
  return { json: Buffer.from(encodeJson(answer)), itemStart: 0 };
}

interface SubresourceWrite {
  readonly resource: StoredResource;
  readonly scope: RequestScope;
  readonly options: WriteOptions;
  readonly object: JsonObject;
  readonly kind: SubresourceKind;
  readonly version: ServedVersion;
}

/** The version that the body names, where the sub-resource takes it; else the usual one, which refuses the body. */
function sentVersion(kind: SubresourceKind, body: JsonObject): ServedVersion {
  const versions = versionsOfKind(kind);
  const sent = versions.find(({ apiVersion }) => apiVersion === body['apiVersion']) ?? versions[0];
  if (!sent) throw notServed();
  return sent;
}

/** The URL says what the object is about; an object may say the same or nothing. */
function settleIdentity({ kind }: SubresourceKind, scope: RequestScope, object: JsonObject): void {
  const namespace = namespaceOf(object);
  if (namespace !== '' && namespace !== scope.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (nameOf(object) !== scope.name) throw badRequest(`name in URL does not match name in ${kind} object`);
  setMeta(object, 'namespace', scope.namespace);
}

function admit(step: typeof mutate, { resource, scope, options, object, kind, version }: SubresourceWrite) {
  const write = { name: scope.name, object, oldObject: undefined, dryRun: options.dryRun };
  const attributes = attributesOf(resource, scope, 'CREATE', write);
  const { group } = kind;
  return step(resource.admission, { ...attributes, kind: { group, version: version.version, kind: kind.kind } });
}
