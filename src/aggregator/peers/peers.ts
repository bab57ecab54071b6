import type { Logger } from 'pino';
import { pause } from '../../async/timers.ts';
import type { GroupDiscovery } from '../../api/discovery/aggregated-discovery.ts';
import type { MergeGroups } from '../../api/discovery/discovery-documents.ts';
import type { ServerAddress } from '../../outbound/json-client.ts';
import { mergeGroups } from './merge-groups.ts';
import type { PeerMetrics } from './peer-metrics.ts';
import { type PeerResources, resourceKey } from './peer-resources.ts';

/** The dependencies of `Peers`. */
interface PeersDependencies {
  /** The identity of this server. */
  readonly ownId: string;
  readonly addressOf: (id: string) => Promise<ServerAddress | undefined>;
  readonly ask: (address: ServerAddress) => Promise<PeerResources>;
  /** Returns the versions that all servers have; the same set while it does not change. */
  readonly excluded: () => ReadonlySet<string>;
  readonly metrics: PeerMetrics;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Returns the time until the next attempt, by the number of failed ones. */
  readonly retryMs?: (tried: number) => number;
}

/** A resource in a version. */
interface ServedIn {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** A peer, and the running attempt to read its resources. */
interface Peer {
  readonly attempt: AbortController;
  readonly resources: PeerResources | undefined;
}

/**
 * The attempts after which a failing peer is logged once and retried less often. They cover the
 * seconds that a starting server takes from its Lease to its address.
 */
const quickAttempts = 20;
const firstRetryMs = 5;
const longestRetryMs = 15_000;
const lateRetryMs = 60_000;

function backOff(tried: number): number {
  return tried < quickAttempts ? Math.min(firstRetryMs * 2 ** tried, longestRetryMs) : lateRetryMs;
}

/** The other servers of the store, and their resources. */
export class Peers {
  readonly #dependencies: PeersDependencies;
  #peers: ReadonlyMap<string, Peer> = new Map();
  #merge: { readonly peers: Peers['peers']; readonly excluded: ReadonlySet<string>; readonly run: MergeGroups };

  constructor(dependencies: PeersDependencies) {
    this.#dependencies = dependencies;
    this.#merge = { peers: this.#peers, excluded: new Set(), run: (local) => local };
  }

  get peers(): ReadonlyMap<string, Peer> {
    return this.#peers;
  }

  /**
   * Handles a change of the holder of an identity Lease: a server that started, restarted or
   * stopped.
   */
  changed(id: string, holder: string | undefined): void {
    if (id === this.#dependencies.ownId) return;
    const known = this.#peers.get(id);
    known?.attempt.abort();
    const others = [...this.#peers].filter(([other]) => other !== id);
    if (holder === undefined) {
      this.#peers = new Map(others);
      return;
    }
    const peer: Peer = { attempt: new AbortController(), resources: known?.resources };
    this.#peers = new Map([...others, [id, peer]]);
    void this.#read(id, peer);
  }

  /** The identities of the peers that serve a resource. */
  serving({ group, version, resource }: ServedIn): readonly string[] {
    if (this.#peers.size === 0 || this.#dependencies.excluded().has(`${group}/${version}`)) return [];
    const key = resourceKey(group, version, resource);
    return [...this.#peers].flatMap(([id, { resources }]) => (resources?.served.has(key) ? [id] : []));
  }

  /** Returns the function that merges peers' groups; the same function while they do not change. */
  get merge(): MergeGroups {
    const excluded = this.#dependencies.excluded();
    if (this.#merge.peers === this.#peers && this.#merge.excluded === excluded) return this.#merge.run;
    const peers = this.#peers;
    const run: MergeGroups = (local) => {
      const others = [...peers].flatMap(([id, { resources }]) =>
        resources ? [[id, withoutVersions(resources.groups, excluded)] as const] : [],
      );
      if (others.length === 0) return local;
      const all = [[this.#dependencies.ownId, local] as const, ...others];
      return mergeGroups(all.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, groups]) => groups));
    };
    this.#merge = { peers, excluded, run };
    return run;
  }

  async #read(id: string, peer: Peer): Promise<void> {
    const { log, metrics, signal, retryMs = backOff } = this.#dependencies;
    const ended = AbortSignal.any([peer.attempt.signal, signal]);
    for (let tried = 1; !ended.aborted; tried++) {
      try {
        const resources = await this.#ask(id);
        if (ended.aborted) return;
        this.#peers = new Map([...this.#peers, [id, { ...peer, resources }]]);
        return;
      } catch (error) {
        if (ended.aborted) return;
        if (tried === quickAttempts) log.warn({ err: error, peer: id }, 'the resources of a peer cannot be read yet');
        metrics.unread.with(error instanceof UnknownAddress ? 'hostport_resolution' : 'fetch_discovery').add();
        await pause(retryMs(tried), ended, { ref: false });
      }
    }
  }

  async #ask(id: string): Promise<PeerResources> {
    const { addressOf, ask } = this.#dependencies;
    const address = await addressOf(id);
    if (!address) throw new UnknownAddress(`the address of the server ${id} is not known`);
    return await ask(address);
  }
}

/** Thrown if the store has no current address of a peer. */
class UnknownAddress extends Error {}

function withoutVersions(groups: readonly GroupDiscovery[], excluded: ReadonlySet<string>): readonly GroupDiscovery[] {
  if (excluded.size === 0) return groups;
  return groups.flatMap((group) => {
    const versions = group.versions.filter(({ version }) => !excluded.has(`${group.name}/${version}`));
    return versions.length > 0 ? [{ ...group, versions }] : [];
  });
}
