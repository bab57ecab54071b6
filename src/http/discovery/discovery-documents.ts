import { createHash } from 'node:crypto';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Catalogue, GroupInfo } from '../../registry/catalogue.ts';
import type { ConnectDefinition } from '../../registry/connect-definition.ts';
import { memoize } from '../../meta/memoize.ts';
import { aggregatedDiscovery, type AggregatedVersion } from './aggregated-discovery.ts';
import { apiResources } from './api-resources.ts';

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

/** Creates the discovery documents of a catalogue, each on first use. */
export function discoveryDocuments(
  catalogue: Catalogue,
  identifiers: Identifiers,
  connects: readonly ConnectDefinition[],
): DiscoveryDocuments {
  const aggregates = new Map<string, DiscoveryDocument>();
  let groupList: DiscoveryDocument | undefined;
  return {
    groupList: () => (groupList ??= groupListOf(catalogue)),
    group: (name) => {
      const group = name === '' ? undefined : catalogue.group(name);
      return group && documentsOf(connects)(group).group;
    },
    resources: (name, version) => {
      const group = catalogue.group(name);
      return group && documentsOf(connects)(group).resources(version);
    },
    aggregated: (version, core) => {
      const key = `${version}/${core}`;
      const known =
        aggregates.get(key) ?? aggregate(aggregatedDiscovery(catalogue, { identifiers, connects, version, core }));
      aggregates.set(key, known);
      return known;
    },
    coreVersions: catalogue.group('')?.versions ?? [],
  };
}

/** The documents of one group. */
interface GroupDocuments {
  readonly group: DiscoveryDocument;
  resources(version: string): DiscoveryDocument | undefined;
}

/** Memoized by group, because most groups do not change with the catalogue. */
const documentsOf = memoize((connects: readonly ConnectDefinition[]) =>
  memoize((group: GroupInfo) => groupDocuments(group, connects)),
);

function groupDocuments(group: GroupInfo, connects: readonly ConnectDefinition[]): GroupDocuments {
  const versions = new Map<string, DiscoveryDocument>();
  return {
    group: document({ ...groupHead, ...apiGroup(group) }),
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

function groupListOf({ groups }: Catalogue): DiscoveryDocument {
  const named = groups.filter(({ group }) => group !== '');
  return document({ kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(apiGroup) });
}

/** Returns the paths of groups and versions, for the index at `/`. */
export function discoveryPaths({ groups }: Catalogue): readonly string[] {
  return groups.flatMap(pathsOf);
}

const groupHead = { kind: 'APIGroup', apiVersion: 'v1' };

function apiGroup({ group, versions }: GroupInfo): object {
  const entry = (version: string) => ({ groupVersion: `${group}/${version}`, version });
  return { name: group, versions: versions.map(entry), preferredVersion: entry(versions[0] ?? '') };
}

function pathsOf({ group, versions }: GroupInfo): string[] {
  const root = group ? `/apis/${group}` : '/api';
  return [...(group ? [root] : []), ...versions.map((version) => `${root}/${version}`)];
}

function document(value: object): DiscoveryDocument {
  return { body: Buffer.from(JSON.stringify(value)), contentType: 'application/json', etag: undefined };
}

function tagOf(value: object): string {
  return `"${createHash('sha256').update(JSON.stringify(value)).digest('hex').toUpperCase()}"`;
}
