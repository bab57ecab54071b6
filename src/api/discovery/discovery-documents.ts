import { createHash } from 'node:crypto';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Catalogue, GroupInfo } from '../../registry/definition/catalogue.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import { memoize } from '../../meta/memoize.ts';
import type { Codec } from '../../codec/codec.ts';
import { documentOfJson } from '../../codec/document.ts';
import {
  type AggregatedVersion,
  aggregatedDiscovery,
  type GroupDiscovery,
  groupDiscoveries,
} from './aggregated-discovery.ts';
import { apiResourceList } from './api-resource-list.ts';
import { cataloguedGroups, type DiscoveredGroup, type RemoteResources } from './discovered-groups.ts';

/** A discovery document: its encoded bytes, and an ETag that changes with them. */
export interface DiscoveryDocument {
  readonly body: Buffer;
  readonly contentType: string;
  readonly etag: string | undefined;
}

/** An aggregated document; each format is encoded once. */
interface AggregatedDocument {
  readonly in: (codec: Codec) => DiscoveryDocument;
}

/** The discovery documents of a catalogue. */
interface DiscoveryDocuments {
  groupList(): DiscoveryDocument;
  group(name: string): DiscoveryDocument | undefined;
  resources(group: string, version: string): DiscoveryDocument | undefined;
  /**
   * Returns the document of `/api` if `core`, otherwise of `/apis`. With `peers` it includes the
   * groups of peers. The same bytes are returned until the content changes.
   */
  aggregated(version: AggregatedVersion, core: boolean, peers?: MergeGroups): AggregatedDocument;
  readonly coreVersions: readonly string[];
}

/** Merges the groups of peers into the local groups. Equal results have the same function. */
export type MergeGroups = (local: readonly GroupDiscovery[]) => readonly GroupDiscovery[];

/** The content of the documents besides the catalogue. */
interface DocumentOptions {
  readonly identifiers: Identifiers;
  readonly connects: readonly ConnectDefinition[];
  /** All groups but the core group, in their order. */
  readonly groups: readonly DiscoveredGroup[];
  readonly remotes: RemoteResources['current'];
  /** True for releases before 1.34, which write the null creation time of a group. */
  readonly writesNoCreation: boolean;
}

/** Creates the discovery documents of a catalogue, each on first use. */
export function discoveryDocuments(
  catalogue: Catalogue,
  { identifiers, connects, groups, remotes, writesNoCreation }: DocumentOptions,
): DiscoveryDocuments {
  const discoveries = (ofCore: boolean) => groupDiscoveries(ofCore ? coreGroup : groups, { connects, remotes });
  const aggregatesOf = memoize((merge: MergeGroups) => {
    const aggregates = new Map<string, AggregatedDocument>();
    return (version: AggregatedVersion, ofCore: boolean): AggregatedDocument => {
      const key = `${version}/${ofCore}`;
      const options = { identifiers, version, writesNoCreation };
      const known = aggregates.get(key) ?? aggregate(aggregatedDiscovery(merge(discoveries(ofCore)), options));
      aggregates.set(key, known);
      return known;
    };
  });
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
    aggregated: (version, ofCore, merge = localAlone) => aggregatesOf(merge)(version, ofCore),
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
      const known = versions.get(version) ?? document(apiResourceList(group, version, connects));
      versions.set(version, known);
      return known;
    },
  };
}

const localAlone: MergeGroups = (local) => local;

function aggregate({ body, parameters }: ReturnType<typeof aggregatedDiscovery>): AggregatedDocument {
  const json = Buffer.from(JSON.stringify(body));
  const etag = `"${createHash('sha256').update(json).digest('hex').toUpperCase()}"`;
  const encoded = new Map<Codec, DiscoveryDocument>();
  return {
    in: (codec) => {
      const bytes = () => (codec.verbatim ? json : Buffer.concat([...codec.encodeObject(documentOfJson(json))]));
      const known = encoded.get(codec) ?? { body: bytes(), contentType: `${codec.mediaType}${parameters}`, etag };
      encoded.set(codec, known);
      return known;
    },
  };
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
