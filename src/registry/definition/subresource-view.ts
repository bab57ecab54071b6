import { plainVersion } from './served-version.ts';
import { type ResourceRequest, type ServedVersion, type StoredResource, versionOf } from './stored-resource.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { getMeta, nameOf, resourceVersionOf, setMeta, uidOf } from '../../meta/object-meta.ts';
import { copyObject, type SubresourceKind } from './resource-definition.ts';
import { isSince } from '../../scheme/api-release.ts';
import { validateSchema } from '../../scheme/validate-schema.ts';
import { allErrors } from '../../status/all-errors.ts';
import { conflict, invalidObject, notServed, type StatusSubject } from '../../status/status-error.ts';
import type { RequestScope } from './registry.ts';
import type { SubresourceView } from './strategy.ts';
import { validateMetadata } from './validate-metadata.ts';

/**
 * A view with its schema: documents of the view's version are read and written in place of the
 * parent's.
 */
export interface ServedView {
  readonly version: ServedVersion;
  readonly kind: SubresourceKind;
  /**
   * Returns the view of an object in the storage version, for responses: without managers. Throws
   * if the object has no view.
   */
  show(parent: JsonObject): JsonObject;
  /** Returns the view with the managers of its field, for admission. */
  read(parent: JsonObject): JsonObject;
  /** Returns the view that a write starts from. */
  begin(parent: JsonObject): JsonObject;
  /** Throws 422 with all errors if a view is invalid. */
  check(view: JsonObject): void;
  /**
   * The parent after a write of the view; the arguments are not mutated. Throws 409 if the view
   * has the uid of another object.
   */
  write(view: JsonObject, parent: JsonObject): JsonObject;
}

/** The view that a request goes through; undefined if it uses the resource's own kind. */
export function viewOf(request: ResourceRequest): ServedView | undefined {
  const { resource, scope } = request;
  if (scope.subresource === '') return undefined;
  const view = resource.strategy.subresources?.[scope.subresource]?.view;
  return view && servedView(request, view, kindOf(resource, scope));
}

/**
 * The subject of NotFound in reads: before 1.33 the sub-resource of a view. In writes it is the
 * resource.
 */
export function missingForRead(request: ResourceRequest): StatusSubject {
  const { resource, scope } = request;
  if (isSince(scope.emulated.release, '1.33')) return resource.subject;
  const view = resource.strategy.subresources?.[scope.subresource]?.view;
  return view?.missing ?? (view ? viewSubject(resource, scope) : resource.subject);
}

/** The version of a request's documents: the view's or the resource's. */
export function documentVersion(request: ResourceRequest): ServedVersion {
  const { resource, scope } = request;
  return viewOf(request)?.version ?? versionOf(resource, scope.version);
}

/** The kind of a request's sub-resource; throws 404 if it has no kind of its own. */
export function kindOf({ info }: StoredResource, { version, subresource }: RequestScope): SubresourceKind {
  const row = info.versions.find((candidate) => candidate.version === version);
  const kind = row?.subresources.find(({ name }) => name === subresource)?.kind;
  if (!kind) throw notServed();
  return kind;
}

/** The versions of a kind that is never stored, the default first. */
export function versionsOfKind({ group, kind, versions }: SubresourceKind): readonly ServedVersion[] {
  return versions.map((version) => plainVersion(group, kind, version));
}

function servedView(request: ResourceRequest, view: SubresourceView, kind: SubresourceKind): ServedView {
  const { resource, scope } = request;
  const [version] = versionsOfKind(kind);
  if (!version) throw notServed();
  const conversion = kind.versions[0]?.conversion;
  const shown = (parent: JsonObject, metadata: JsonObject, read = view.read): JsonObject => {
    const document = { kind: version.kind, apiVersion: version.apiVersion, metadata, ...read(parent) };
    return conversion ? conversion.fromStorage(document, scope.identifiers) : document;
  };
  const managed = (parent: JsonObject): JsonObject => managedMetadata(parent, view, version.apiVersion);
  return {
    version,
    kind,
    show: (parent) => {
      view.absence?.checkFound(parent);
      return shown(parent, viewMetadata(parent));
    },
    read: (parent) => shown(parent, managed(parent)),
    begin: (parent) => shown(parent, managed(parent), view.absence?.begin),
    check: (document) => {
      view.absence?.checkSent(document);
      if (view.checkedAsParent) return;
      // Before 1.24 a view may lack the namespace.
      const errors = allErrors(validateMetadata(resource, document), validateSchema(version.schema, document));
      if (errors.length > 0) throw invalidObject({ group: kind.group, resource: kind.kind }, scope.name, errors);
    },
    write: (document, parent) => {
      checkUid(request, uidOf(document), uidOf(parent));
      const next = copyObject(parent);
      view.write(conversion ? conversion.toStorage(document, scope.identifiers) : document, next);
      setMeta(next, 'resourceVersion', resourceVersionOf(document) || undefined);
      return next;
    },
  };
}

function checkUid(request: ResourceRequest, wanted: string, found: string): void {
  const { resource, scope } = request;
  if (wanted === '' || wanted === found) return;
  const message = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
  throw conflict(resource.subject, scope.name, message);
}

function viewSubject({ info }: StoredResource, { subresource }: RequestScope): StatusSubject {
  return { group: info.group, resource: `${info.resource}/${subresource}` };
}

function viewMetadata(parent: JsonObject): JsonObject {
  const view: JsonObject = { metadata: {} };
  for (const name of ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'] as const) {
    setMeta(view, name, getMeta(parent, name));
  }
  const { metadata = {} } = view;
  return isJsonObject(metadata) ? metadata : { name: nameOf(parent) };
}

function managedMetadata(parent: JsonObject, { field }: SubresourceView, apiVersion: string): JsonObject {
  const managers = viewManagers(getMeta(parent, 'managedFields'), field, apiVersion);
  return { ...viewMetadata(parent), ...(managers.length > 0 ? { managedFields: managers } : {}) };
}

/** The managers of the common field, as managers of the view. */
export function viewManagers(
  managers: JsonValue | undefined,
  field: readonly string[],
  apiVersion: string,
): JsonObject[] {
  if (!Array.isArray(managers)) return [];
  return managers.filter(isJsonObject).flatMap((entry) => {
    if (!owns(getOwn(entry, 'fieldsV1'), field)) return [];
    return [{ ...entry, apiVersion, fieldsV1: setOf(field) }];
  });
}

function owns(set: JsonValue | undefined, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return set !== undefined;
  return isJsonObject(set) && owns(getOwn(set, `f:${step}`), rest);
}

function setOf(field: readonly string[]): JsonObject {
  return field.reduceRight<JsonObject>((below, step) => ({ [`f:${step}`]: below }), {});
}
