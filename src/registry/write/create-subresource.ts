import type { WriteRequest, ServedVersion } from '../definition/stored-resource.ts';
import { mutate, validate } from '../../admission/admission.ts';
import { encodeJson } from '../../codec/encode-json.ts';
import { getOwn, type JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { isSince } from '../../scheme/api-release.ts';
import { applyDefaults } from '../../scheme/apply-defaults.ts';
import type { SubresourceKind } from '../definition/resource-definition.ts';
import { validateSchema } from '../../scheme/validate-schema.ts';
import { badRequest, invalidObject, notServed } from '../../status/status-error.ts';
import { attributesOf } from './admit.ts';
import { decodeBody } from '../versions/decode-request.ts';
import { createInternalClient } from './create-internal-client.ts';
import type { InternalClient, InternalClients } from '../definition/internal-client.ts';
import { refuseOtherNamespace } from './refuse-other-namespace.ts';
import type { VersionedObject } from '../definition/registry.ts';
import { filledNamespaceSince, setRequestNamespace } from './prepare-sent-metadata.ts';
import { kindOf, versionsOfKind } from '../definition/subresource-view.ts';

/** Creates a sub-resource: an object of another kind that describes an action on its parent. */
export async function createSubresource(request: WriteRequest, body: JsonObject): Promise<VersionedObject> {
  const { resource, scope, options } = request;
  const { create, optionalName = false } = resource.strategy.subresources?.[scope.subresource] ?? {};
  if (!create) throw notServed();
  const kind = kindOf(resource, scope);
  const version = sentVersion(kind, body);
  const object = await decodeBody(request, version, body);
  applyDefaults(version.schema, object);
  checkIdentity({ kind, version, scope, object }, optionalName);
  if (isSince(scope.emulated.release, filledNamespaceSince)) fillNamespace({ ...request, object, kind, version });
  await admit(mutate, { ...request, object, kind, version });
  const errors = validateSchema(version.schema, object);
  const subject = { group: kind.group, resource: kind.kind };
  if (errors.length > 0) throw invalidObject(subject, optionalName ? '' : scope.name, errors);
  await admit(validate, { ...request, object, kind, version });
  fillNamespace({ ...request, object, kind, version });
  const objectsOf: InternalClients = <T>(shortGroup: string, plural: string, dryRun = false) => {
    const other = resource.stored(shortGroup, plural);
    if (!other) throw notServed();
    // The caller names the type of the resource.
    return createInternalClient({ resource: other, scope }, dryRun || options.dryRun) as unknown as InternalClient<T>;
  };
  // Its kind has the type that the hook declares.
  const answer = await create(object as never, objectsOf, { ...scope, dryRun: options.dryRun });
  return { json: Buffer.from(encodeJson(answer)), value: answer };
}

interface SubresourceWrite extends WriteRequest {
  readonly object: JsonObject;
  readonly kind: SubresourceKind;
  readonly version: ServedVersion;
}

/**
 * The version named in the body if the sub-resource accepts it, else the default one, whose
 * decoder refuses the body.
 */
function sentVersion(kind: SubresourceKind, body: JsonObject): ServedVersion {
  const versions = versionsOfKind(kind);
  const sent = versions.find(({ apiVersion }) => apiVersion === body['apiVersion']) ?? versions[0];
  if (!sent) throw notServed();
  return sent;
}

/**
 * Refuses a body with another namespace than the URL, or without the same name unless that is
 * optional. A kind without metadata has the name at its top.
 */
function checkIdentity(
  { kind: { kind }, version, scope, object }: Omit<SubresourceWrite, keyof WriteRequest> & Pick<WriteRequest, 'scope'>,
  optionalName: boolean,
): void {
  const mismatch = `name in URL does not match name in ${kind} object`;
  if (!version.schema.fields.has('metadata')) {
    if (getOwn(object, 'name') !== scope.name) throw badRequest(mismatch);
    return;
  }
  refuseOtherNamespace(scope, object);
  if (nameOf(object) !== scope.name && !optionalName) throw badRequest(mismatch);
}

/** Fills in the namespace: after admission, and before it since release 1.24. */
function fillNamespace({ version, scope, object }: SubresourceWrite): void {
  if (version.schema.fields.has('metadata')) setRequestNamespace(scope, object, true);
}

function admit(step: typeof mutate, write: SubresourceWrite) {
  const { resource, scope, object, kind, version } = write;
  const sentKind = { group: kind.group, version: version.version, kind: kind.kind };
  const attributes = { name: scope.name, object, oldObject: undefined, kind: sentKind };
  return step(resource.admission, attributesOf(write, 'CREATE', attributes));
}
