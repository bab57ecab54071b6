import type { ApiClient } from './api-client.ts';
import { everything, type History, type Scope, type Version } from './history.ts';
import type { Random } from './random.ts';

/** The objects that clients contend for. */
export const trafficKeys: readonly string[] = [
  ...['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `default/${name}`),
  ...['one', 'seven', 'eight', 'nine'].map((name) => `other/${name}`),
];
export const colors: readonly string[] = ['red', 'green', 'blue'];

/** What reads and watches look at. */
export const scopes: readonly Scope[] = [
  everything,
  everything,
  { ...everything, namespace: 'default' },
  { ...everything, color: 'red' },
  { ...everything, namespace: 'other', color: 'blue' },
  { namespace: 'default', name: 'one', color: '' },
];

/** What all clients know of the objects; perhaps stale, as with any client. */
export class Knowledge {
  /** The newest revision that anybody has seen. */
  head = 1;
  readonly versions = new Map<string, Version>();

  see(version: Version): void {
    this.head = Math.max(this.head, version.revision);
    const known = this.versions.get(version.key);
    if (!known || known.revision < version.revision) this.versions.set(version.key, version);
  }
}

/** What a client of the traffic works with. */
export interface TrafficClient {
  readonly name: string;
  /** One is chosen for each request. */
  readonly servers: readonly ApiClient[];
  readonly random: Random;
  readonly knowledge: Knowledge;
  readonly history: History;
  /** Pause between the beginnings of two requests. */
  readonly intervalMs: number;
}

/** Makes one request through a server; a write carries the mark. */
export type Act = (client: TrafficClient, server: ApiClient, mark: string) => Promise<void>;

/** Keeps what a client was answered, for all of them. */
export function seen({ knowledge }: Pick<TrafficClient, 'knowledge'>, version: Version): Version {
  knowledge.see(version);
  return version;
}

/** The parts of a key of the traffic. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
}
