import { createHash } from 'node:crypto';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Catalogue, GroupInfo } from '../../registry/definition/catalogue.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import { memoize } from '../../meta/memoize.ts';
import { aggregatedDiscovery, type AggregatedVersion } from './aggregated-discovery.ts';
import { apiResources } from './api-resources.ts';
import { cataloguedGroups, type DiscoveredGroup, type RemoteResources } from './discovered-groups.ts';

/** A discovery document: its encoded bytes, and an ETag that changes with them. */
export interface DiscoveryDocument {
  readonly body: Buffer;
  readonly contentType: string;
  readonly etag: string | undefined;
}

/** The discovery documents of a catalogue. */
interface DiscoveryDocuments {
  groupList(): DiscoveryDocument;
  group(name: string): DiscoveryDocument | undefined;
  resources(group: string, version: string): DiscoveryDocument | undefined;
  /** Returns the document for `/api` if `core`, else that for `/apis`. */
  aggregated(version: AggregatedVersion, core: boolean): DiscoveryDocument;
  readonly coreVersions: readonly string[];
}

/** The content of the documents besides the catalogue. */
interface DocumentOptions {
  readonly identifiers: Identifiers;
  readonly connects: readonly ConnectDefinition[];
  /** All groups but the core group, in their order. */
  readonly groups: readonly DiscoveredGroup[];
  readonly remotes: RemoteResources['current'];
}

/** Creates the discovery documents of a catalogue, each on first use. */
export function discoveryDocuments(
  catalogue: Catalogue,
  { identifiers, connects, groups, remotes }: DocumentOptions,
): DiscoveryDocuments {
  const aggregates = new Map<string, DiscoveryDocument>();
  const byName = new Map(groups.map((group) => [group.name, group]));
  const core = catalogue.group('');
  const coreGroup: readonly DiscoveredGroup[] = core
    ? [{ name: '', local: core, versions: core.versions.map((version) => ({ version, remote: undefined })) }]
    : [];
  let groupList: DiscoveryDocument | undefined;
  return {
    groupList: () => (groupList ??= groupListOf(groups)),
    group: (name) => {
      const local = name === '' ? undefined : catalogue.group(name);
      // A group that discovery omits is still served.
      const group = byName.get(name) ?? (local && withAllVersions(local));
      return group && document({ ...groupHead, ...apiGroup(group) });
    },
    resources: (name, version) => {
      const group = catalogue.group(name);
      return group && documentsOf(connects)(group).resources(version);
    },
    aggregated: (version, ofCore) => {
      const key = `${version}/${ofCore}`;
      const shown = ofCore ? coreGroup : groups;
      const known =
        aggregates.get(key) ?? aggregate(aggregatedDiscovery(shown, { identifiers, connects, version, remotes }));
      aggregates.set(key, known);
      return known;
    },
    coreVersions: core?.versions ?? [],
  };
}

function withAllVersions(local: GroupInfo): DiscoveredGroup {
  return { name: local.group, local, versions: local.versions.map((version) => ({ version, remote: undefined })) };
}

/** The documents of the versions of a group that this server serves. */
interface GroupDocuments {
  resources(version: string): DiscoveryDocument | undefined;
}

/** Memoized by group, because most groups do not change with the catalogue. */
const documentsOf = memoize((connects: readonly ConnectDefinition[]) =>
  memoize((group: GroupInfo) => groupDocuments(group, connects)),
);

function groupDocuments(group: GroupInfo, connects: readonly ConnectDefinition[]): GroupDocuments {
  const versions = new Map<string, DiscoveryDocument>();
  return {
    resources: (version) => {
      if (!group.versions.includes(version)) return undefined;
      const known = versions.get(version) ?? document(apiResources(group, version, connects));
      versions.set(version, known);
      return known;
    },
  };
}

function aggregate({ body, contentType }: ReturnType<typeof aggregatedDiscovery>): DiscoveryDocument {
  return { ...document(body), contentType, etag: tagOf(body) };
}

function groupListOf(groups: readonly DiscoveredGroup[]): DiscoveryDocument {
  return document({ kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(apiGroup) });
}

/** Returns the paths of groups and versions, for the index at `/`. */
export function discoveryPaths(catalogue: Catalogue, groups = cataloguedGroups(catalogue)): readonly string[] {
  const core = catalogue.group('')?.versions ?? [];
  return [...core.map((version) => `/api/${version}`), ...groups.flatMap(pathsOf)];
}

const groupHead = { kind: 'APIGroup', apiVersion: 'v1' };

function apiGroup({ name, versions }: DiscoveredGroup): object {
  const entries = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

function pathsOf({ name, versions }: DiscoveredGroup): string[] {
  return [`/apis/${name}`, ...versions.map(({ version }) => `/apis/${name}/${version}`)];
}

function document(value: object): DiscoveryDocument {
  return { body: Buffer.from(JSON.stringify(value)), contentType: 'application/json', etag: undefined };
}

function tagOf(value: object): string {
  return `"${createHash('sha256').update(JSON.stringify(value)).digest('hex').toUpperCase()}"`;
}
