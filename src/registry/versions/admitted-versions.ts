import type { AdmittedVersion } from '../../admission/admission.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { formatApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { applyDefaults } from '../../scheme/apply-defaults.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import type { RequestScope } from '../definition/registry.ts';
import type { SubresourceKind, VersionDefinition } from '../definition/resource-definition.ts';
import type { AnyVersion, StoredResource } from '../definition/stored-resource.ts';
import { memoize } from '../../meta/memoize.ts';

type KindName = AdmittedVersion['kind'];

/** The versions by request: the resource, then its version, sub-resource and kind. */
const byRequest = memoize((_info: object) => new Map<string, readonly AdmittedVersion[]>());

/**
 * The versions in which the objects of a request can be shown and read, the version of the request
 * first: versions of the resource, and of all others with the same objects. `kind` is the kind of
 * the request.
 */
export function admittedVersions(
  resource: StoredResource,
  scope: Pick<RequestScope, 'identifiers' | 'version' | 'subresource' | 'urlResource'>,
  kind: KindName,
): readonly AdmittedVersion[] {
  const { identifiers, version, subresource, urlResource = '' } = scope;
  const known = byRequest(resource.info);
  const key = `${version}/${subresource}/${kind.version}/${urlResource}`;
  let versions = known.get(key);
  if (!versions)
    known.set(key, (versions = makeVersions(resource, { identifiers, version, subresource, kind, urlResource })));
  return versions;
}

interface VersionQuery {
  readonly identifiers: Identifiers;
  readonly version: string;
  readonly subresource: string;
  readonly kind: KindName;
  /** The resource in the URL if it is not the resource of the objects, or ''. */
  readonly urlResource: string;
}

function makeVersions(resource: StoredResource, query: VersionQuery): readonly AdmittedVersion[] {
  const rows = resource.sharingStorage().flatMap((other) =>
    other.info.versions.flatMap((row) => {
      const name = {
        group: other.info.group,
        version: row.version,
        resource: query.urlResource || other.info.resource,
      };
      const served = other.versions.get(row.version) ?? other.otherVersions?.get(row.version);
      return served && hasSubresource(row, query.subresource) ? [{ name, row, served, other }] : [];
    }),
  );
  const isRequested = ({ other, row }: (typeof rows)[number]) =>
    other.info === resource.info && row.version === query.version;
  const ordered = [...rows.filter(isRequested), ...rows.filter((one) => !isRequested(one))];
  return ordered.map(({ name, row, served, other }) => {
    const own = row.subresources.find((one) => one.name === query.subresource)?.kind;
    if (own) return ofOwnKind(resource, { ...query, name, own });
    return {
      resource: name,
      kind: { group: name.group, version: row.version, kind: other.info.kind },
      schema: () => served.schema,
      show: (object) => served.fromStorage(object),
      read: (document) => readAsStored(resource, served, document),
    };
  });
}

function hasSubresource({ subresources }: VersionDefinition, name: string): boolean {
  return name === '' || subresources.some((one) => one.name === name);
}

/** Decodes a document as a request body is, without its warnings. */
function readAsStored(
  { storageVersion }: StoredResource,
  served: AnyVersion,
  document: JsonObject,
): ReturnType<AnyVersion['toStorage']> {
  const { value } = decodeObject(served.schema, document);
  applyDefaults(served.schema, value);
  if (served.apiVersion === storageVersion.apiVersion && served.kind === storageVersion.kind) return value;
  const complete = (converted: JsonObject): JsonObject => {
    const stored = decodeObject(storageVersion.schema, converted).value;
    applyDefaults(storageVersion.schema, stored);
    return stored;
  };
  const made = served.toStorage(value);
  return made instanceof Promise ? made.then(complete) : complete(made);
}

interface OwnKind extends VersionQuery {
  readonly name: AdmittedVersion['resource'];
  readonly own: SubresourceKind;
}

/**
 * A sub-resource with a kind of its own. Its objects are in the version of the request; another
 * version is converted through the shape of the strategy's views.
 */
function ofOwnKind(resource: StoredResource, { identifiers, version, subresource, kind, name, own }: OwnKind) {
  const requested = resource.info.versions
    .find((row) => row.version === version)
    ?.subresources.find((one) => one.name === subresource)?.kind;
  const sent = requested?.versions.find((one) => one.version === kind.version) ?? requested?.versions[0];
  const isSent = own.group === kind.group && own.versions.some((one) => one.version === kind.version);
  const shown = isSent ? sent : own.versions[0];
  const shownKind = isSent ? kind : { group: own.group, version: shown?.version ?? own.version, kind: own.kind };
  const toHub = (object: JsonObject, from: typeof sent) => from?.conversion?.toStorage(object, identifiers) ?? object;
  const fromHub = (object: JsonObject, to: typeof sent) => to?.conversion?.fromStorage(object, identifiers) ?? object;
  return {
    resource: name,
    kind: shownKind,
    schema: () => shown?.schema(),
    show: (object: JsonObject) => (isSent ? object : labelled(fromHub(toHub(object, sent), shown), shownKind)),
    read: (document: JsonObject) => {
      const value = decodedWithDefaults(shown?.schema, document);
      if (isSent) return value;
      return decodedWithDefaults(sent?.schema, labelled(fromHub(toHub(value, shown), sent), kind));
    },
  };
}

function decodedWithDefaults(schema: (() => ObjectSchema) | undefined, document: JsonObject): JsonObject {
  if (!schema) return document;
  const { value } = decodeObject(schema(), document);
  applyDefaults(schema(), value);
  return value;
}

function labelled(object: JsonObject, { group, version, kind }: KindName): JsonObject {
  return { ...object, kind, apiVersion: formatApiVersion(group, version) };
}
