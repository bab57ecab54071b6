import { createHash } from 'node:crypto';
import { connectEtcd } from '../../src/etcd/etcd-client.ts';
import type { EtcdEvent } from '../../src/etcd/watch-messages.ts';
import type { StoreEvent } from '../../src/storage/port/object-store.ts';
import { decodeStoredObject } from '../../src/storage/objects/stored-object.ts';
import type { RawLog } from './checks/raw-log.ts';
import { EventLog, type LogEntry } from './event-log.ts';
import { resumedWatch } from './resumed-watch.ts';
import { type TrafficObject, versionOf } from './version.ts';

const trafficPrefix = '/registry/configmaps/';

/** Who reads every change straight from one member of etcd, from the first revision on. */
export interface Referee {
  /** How far it has come. */
  readonly revision: () => number;
  readonly raw: () => RawLog;
  readonly log: () => EventLog;
  /** Why it could not go on; undefined while it can. */
  readonly failure: () => unknown;
  close(): Promise<void>;
}

/** Attaches a referee; must happen before anything is compacted. */
export async function startReferee(endpoint: string): Promise<Referee> {
  const client = await connectEtcd({ endpoints: [endpoint] });
  const stop = new AbortController();
  const raw: { revision: number; key: string; what: string }[] = [];
  const changes: Omit<LogEntry, 'previous'>[] = [];
  let failure: unknown;
  const follow = async (): Promise<void> => {
    for await (const { events } of resumedWatch(client, stop.signal)) {
      for (const event of events) {
        raw.push(rawEntry(event));
        const change = trafficChange(event);
        if (change) changes.push(change);
      }
    }
  };
  const done = follow().catch((error: unknown) => {
    if (!stop.signal.aborted) failure = error;
  });
  return {
    revision: () => raw.at(-1)?.revision ?? 1,
    raw: () => raw,
    log: () => new EventLog(changes),
    failure: () => failure,
    async close() {
      stop.abort();
      await done;
      client.close();
    },
  };
}

function rawEntry(event: EtcdEvent): { revision: number; key: string; what: string } {
  if (event.type === 'delete') return { revision: event.revision, key: event.key, what: `delete ${event.key}` };
  const { key, revision, value } = event.current;
  return { revision, key, what: `put ${key} ${createHash('sha1').update(value).digest('base64')}` };
}

/** What an event of the store says of the traffic's objects. */
export function trafficChange(event: EtcdEvent | StoreEvent): Omit<LogEntry, 'previous'> | undefined {
  const { key, revision } = event.type === 'put' ? event.current : event;
  if (!key.startsWith(trafficPrefix)) return undefined;
  const name = key.slice(trafficPrefix.length);
  if (event.type === 'delete') return { key: name, revision, current: undefined };
  const { json } = decodeStoredObject(key, event.current.value);
  // The traffic wrote it, through the server, as a ConfigMap.
  const object = JSON.parse(json.toString('utf8')) as TrafficObject;
  return { key: name, revision, current: versionOf(object, revision) };
}
