import type { Catalogue, GroupInfo, ServedResource } from '../../registry/definition/catalogue.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { schemaOf } from '../../scheme/schema-of.ts';
import { corePath, groupPath, groupsPath, publishedPath, serverVersionPath, versionPath } from './discovery-paths.ts';
import { listSchemaOf, type GroupVersionKind, type OpenApiNames, type PathItem } from './operation.ts';
import { publishedSchema, resourcePaths } from './resource-paths.ts';

/** Paths that change only together with their owner, among whose sections the key names them. */
interface PathSection {
  readonly owner: object;
  readonly key: string;
  /** Computes the paths while they are read. */
  readonly paths: () => Iterable<PathItem>;
}

/** A schema, a kind of its objects, and the fields that selectors of a custom kind may name. */
type DescribedKind = readonly [schema: ObjectSchema, kind: GroupVersionKind, selectable?: readonly string[]];

/** The content of a document: paths and kinds. */
export interface DocumentSource {
  readonly sections: () => Iterable<PathSection>;
  /** The kinds that are objects of definitions; one may come several times. */
  readonly kinds: () => Iterable<DescribedKind>;
}

/** A version of a group. */
interface GroupVersion {
  readonly group: GroupInfo;
  readonly version: string;
}

/** Returns the source of the document of version 2, which describes the whole server. */
export function wholeSource({ groups }: Catalogue, names: OpenApiNames): DocumentSource {
  const versions = versionsOf(groups);
  return {
    *sections() {
      yield { owner: names, key: '', paths: () => commonPaths(names) };
      for (const group of groups) {
        if (group.group !== '' && !isCustomGroup(group)) {
          yield { owner: group, key: '', paths: () => [groupPath(group.group, names)] };
        }
      }
      for (const version of versions) yield* versionSections(version, names);
    },
    kinds: () => kindsIn(versions, names),
  };
}

function versionsOf(groups: readonly GroupInfo[]): readonly GroupVersion[] {
  return groups.flatMap((group) => group.versions.map((version) => ({ group, version })));
}

function* commonPaths(names: OpenApiNames): Iterable<PathItem> {
  yield corePath(names);
  yield groupsPath(names);
  yield serverVersionPath();
  for (const document of names.documents) yield publishedPath(document);
}

/**
 * Returns the source of the document of a group version. Its definitions may be kinds of any
 * built-in group. Custom groups come and go, so that only their own documents mention them.
 */
export function versionSource(version: GroupVersion, { groups }: Catalogue, names: OpenApiNames): DocumentSource {
  const isCustom = isCustomVersion(version);
  const builtIn = isCustom ? [] : versionsOf(groups).filter((one) => !isCustomVersion(one));
  const described = isCustom ? [version] : builtIn;
  return { sections: () => versionSections(version, names), kinds: () => kindsIn(described, names) };
}

function isCustomVersion({ group, version }: GroupVersion): boolean {
  const served = servedIn(group, version);
  return served.length > 0 && served.every(({ info }) => info.isCustom);
}

/** Returns the source of a document of version 3 outside versions of groups: one path. */
export function pathSource(item: PathItem, names: OpenApiNames): DocumentSource {
  return { sections: () => [{ owner: names, key: item.path, paths: () => [item] }], kinds: () => kindsIn([], names) };
}

function* versionSections({ group, version }: GroupVersion, names: OpenApiNames): Iterable<PathSection> {
  const resources = servedIn(group, version);
  if (!areCustom(resources.map(({ info }) => info)))
    yield { owner: group, key: version, paths: () => [versionPath(group, version, names)] };
  for (const served of resources) {
    yield { owner: served.info, key: version, paths: () => resourcePaths(served, names) };
  }
}

/**
 * Reports whether all kinds of a group are custom. Its discovery paths are not described then, as
 * in kube-apiserver.
 */
export function isCustomGroup({ resources }: GroupInfo): boolean {
  return areCustom(resources);
}

function areCustom(resources: GroupInfo['resources']): boolean {
  return resources.length > 0 && resources.every(({ isCustom }) => isCustom);
}

function servedIn({ resources }: GroupInfo, version: string): readonly ServedResource[] {
  return resources.flatMap((info) =>
    info.versions.filter((served) => served.version === version).map((served) => ({ info, version: served })),
  );
}

/** The messages of the core group's `v1` that are kinds, but not of resources. */
const documents = ['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Status'];

/** The messages that are kinds of every group and version. */
const everywhere = ['DeleteOptions', 'WatchEvent'];

function* kindsIn(versions: readonly GroupVersion[], names: OpenApiNames): Iterable<DescribedKind> {
  for (const kind of documents) yield metaKind(names, { group: '', kind, version: 'v1' });
  for (const { group, version } of versions) {
    for (const kind of everywhere) yield metaKind(names, { group: group.group, kind, version });
    for (const served of servedIn(group, version)) yield* kindsOf(served, names);
  }
}

function metaKind({ fieldsRelease }: OpenApiNames, { group, kind, version }: GroupVersionKind): DescribedKind {
  return [schemaOf(`api.meta.v1.${kind}`, fieldsRelease), { group, kind, version }];
}

/** The kinds of a resource: its objects, its lists and its sub-resources. */
function* kindsOf({ info, version: served }: ServedResource, names: OpenApiNames): Iterable<DescribedKind> {
  const { group, kind, listKind } = info;
  const { version } = served;
  const schema = publishedSchema(served);
  const { selectableFields } = served.strategy ?? info.strategy;
  const selectable = info.isCustom ? selectableFields : undefined;
  yield [schema, { group, kind, version }, selectable];
  if (served.verbs.includes('list')) {
    yield [listSchemaOf(schema, listKind, names), { group, kind: listKind, version }, selectable];
  }
  for (const subresource of served.subresources) {
    const own = subresource.kind;
    for (const one of own?.versions ?? []) {
      yield [one.schema(), { group: own?.group ?? '', kind: own?.kind ?? '', version: one.version }];
    }
  }
}
