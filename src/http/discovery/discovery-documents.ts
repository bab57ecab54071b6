import { createHash } from 'node:crypto';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Catalogue, GroupInfo } from '../../scheme/catalogue.ts';
import { aggregatedDiscovery, type AggregatedVersion, aggregatedVersions } from './aggregated-discovery.ts';
import { apiResources } from './api-resources.ts';

/** A discovery document: its bytes, made once, and a tag that changes with them. */
export interface DiscoveryDocument {
  readonly body: Buffer;
  readonly contentType: string;
  readonly etag: string | undefined;
}

/** Every discovery document of a server. */
export interface DiscoveryDocuments {
  readonly groupList: DiscoveryDocument;
  group(name: string): DiscoveryDocument | undefined;
  resources(group: string, version: string): DiscoveryDocument | undefined;
  /** `core` is what `/api` answers, otherwise `/apis`. */
  aggregated(version: AggregatedVersion, core: boolean): DiscoveryDocument;
  readonly coreVersions: readonly string[];
  /** Paths of groups and versions, for the index at `/`. */
  readonly paths: readonly string[];
}

/** Makes the discovery documents of a catalogue. */
export function discoveryDocuments(catalogue: Catalogue, identifiers: Identifiers): DiscoveryDocuments {
  const groups = catalogue.groups();
  const named = groups.filter(({ group }) => group !== '');
  const byGroup = new Map(named.map((info) => [info.group, document({ ...groupHead, ...apiGroup(info) })]));
  const byVersion = new Map(
    groups.flatMap(({ group, versions }) =>
      versions.map((version) => [`${group}/${version}`, document(apiResources(catalogue, group, version))] as const),
    ),
  );
  const aggregates = new Map(
    aggregatedVersions.flatMap((version) =>
      [true, false].map((core) => {
        const { body, contentType } = aggregatedDiscovery(catalogue, identifiers, version, core);
        return [`${version}/${core}`, { ...document(body), contentType, etag: tagOf(body) }] as const;
      }),
    ),
  );
  const empty = document({});
  return {
    groupList: document({ kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(apiGroup) }),
    group: (name) => byGroup.get(name),
    resources: (group, version) => byVersion.get(`${group}/${version}`),
    aggregated: (version, core) => aggregates.get(`${version}/${core}`) ?? empty,
    coreVersions: groups.find(({ group }) => group === '')?.versions ?? [],
    paths: groups.flatMap(pathsOf),
  };
}

const groupHead = { kind: 'APIGroup', apiVersion: 'v1' };

function apiGroup({ group, versions, preferredVersion }: GroupInfo): object {
  const entry = (version: string) => ({ groupVersion: `${group}/${version}`, version });
  return { name: group, versions: versions.map(entry), preferredVersion: entry(preferredVersion) };
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
