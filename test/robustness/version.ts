import { createHash } from 'node:crypto';
import type { Version } from './history.ts';

/** The parts of an object that the traffic and the checks look at. */
export interface TrafficObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
}

/** Reads an object as it came over HTTP or, with the revision of its write, out of etcd. */
export function versionOf(object: TrafficObject, revision = Number(object.metadata.resourceVersion ?? 0)): Version {
  const { metadata, data } = object;
  return {
    key: `${metadata.namespace}/${metadata.name}`,
    revision,
    uid: metadata.uid,
    body: bodyHash(object),
    color: metadata.labels?.color ?? '',
    mark: data?.mark ?? '',
  };
}

/** The same for an item of a list, which has no kind, as for the whole document. */
function bodyHash(object: TrafficObject): string {
  const { resourceVersion: _, ...metadata } = object.metadata;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object as TrafficObject & Record<string, unknown>;
  const text = JSON.stringify({ ...rest, metadata });
  return createHash('sha1').update(text).digest('base64url').slice(0, 12);
}
