import type { Catalogue, GroupInfo } from '../../registry/definition/catalogue.ts';
import { corePath, groupPath, groupsPath, publishedPath, serverVersionPath } from './discovery-paths.ts';
import { type DocumentSource, pathSource, versionSource } from './document-source.ts';
import type { OpenApiNames } from './operation.ts';

/** A document of version 3. */
export interface Version3Document {
  /** Its path below `/openapi/v3/`. */
  readonly path: string;
  /** The document changes only together with this value. */
  readonly owner: object;
  readonly source: () => DocumentSource;
}

/**
 * Returns the documents of version 3: one for each path of discovery, and one for each document
 * outside the API.
 */
export function version3Documents({ groups }: Catalogue, names: OpenApiNames): readonly Version3Document[] {
  const common = [
    { path: 'api', owner: names, source: () => pathSource(corePath(names), names) },
    { path: 'apis', owner: names, source: () => pathSource(groupsPath(names), names) },
    { path: 'version', owner: names, source: () => pathSource(serverVersionPath(), names) },
    ...names.documents.map((document) => ({
      path: document.path.slice(1),
      owner: names,
      source: () => pathSource(publishedPath(document), names),
    })),
  ];
  return [...common, ...groups.flatMap((group) => groupDocuments(group, names))].toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

function groupDocuments(group: GroupInfo, names: OpenApiNames): readonly Version3Document[] {
  const root = group.group === '' ? 'api' : `apis/${group.group}`;
  const versions = group.versions.map((version) => ({
    path: `${root}/${version}`,
    owner: group,
    source: () => versionSource({ group, version }, names),
  }));
  if (group.group === '') return versions;
  return [{ path: root, owner: group, source: () => pathSource(groupPath(group.group, names), names) }, ...versions];
}
