import { setTimeout as sleep } from 'node:timers/promises';
import { documentOf } from '../../../src/codec/document.ts';
import { createProtobufCodec } from '../../../src/codec/protobuf/protobuf-codec.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { LoadRequest } from '../load/http-client.ts';
import { eachOf } from '../load/press.ts';
import type { ClientPool } from './client-pool.ts';
import {
  deploymentStatus,
  newBinding,
  newDeployment,
  newEvent,
  newPod,
  newReplicaSet,
  newScheduledEvent,
  replicaSetStatus,
  runningPod,
  type Stored,
} from './objects.ts';
import type { ProgramClient, ProgramRequest } from './program-client.ts';
import type { Programs } from './programs.ts';
import { requestShape } from './request-shape.ts';

/** How much is created. */
export interface WorkloadSize {
  readonly deployments: number;
  /** Pods of each Deployment. */
  readonly replicas: number;
}

/** One response of each shape of request, by the shape's name. */
export type SampleResponses = Map<string, Buffer>;

const codec = createProtobufCodec(identifiersOf('kubernetes'));
const nodeNames = ['node-1', 'node-2'];

/** How often the user looks for the end. */
const pollMs = 200;

/** The ready pods at which the owners' statuses are written, as parts of all. */
const readySteps = [1 / 3, 2 / 3, 1];

/** The clients, and where they work. */
interface Replay extends Programs {
  readonly namespace: string;
  readonly size: WorkloadSize;
  readonly samples: SampleResponses;
  serial: number;
}

/**
 * Brings Deployments to their pods in a new namespace as unmodified programs of Kubernetes 1.20 do:
 * the same requests, as often, in the same formats, as many at a time. Each is sent when the
 * response that causes it has arrived, so that the number of requests does not depend on times.
 */
export async function replayWorkload(
  programs: Programs,
  namespace: string,
  size: WorkloadSize,
  samples: SampleResponses,
): Promise<void> {
  const replay: Replay = { ...programs, namespace, size, samples, serial: 0 };
  await createNamespace(replay);
  const done = new AbortController();
  const polled = poll(replay, done.signal);
  await eachOf(size.deployments, size.deployments, (index) => runDeployment(replay, `d${index}`));
  done.abort();
  await polled;
}

async function createNamespace(replay: Replay): Promise<void> {
  const { namespace } = replay;
  await byUser(replay, 'POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  const trust = { kind: 'ConfigMap', metadata: { name: 'trust', namespace }, data: { 'ca.crt': '' } };
  await create(replay, '/api/v1', 'configmaps', { apiVersion: 'v1', ...trust });
  const account = { kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
  await create(replay, '/api/v1', 'serviceaccounts', { apiVersion: 'v1', ...account });
}

async function poll(replay: Replay, done: AbortSignal): Promise<void> {
  for (let isLast = false; ; isLast = done.aborted) {
    await byUser(replay, 'GET', `${collectionOf(replay, '/apis/apps/v1', 'deployments')}?resourceVersion=0`);
    if (isLast) return;
    await sleep(pollMs, undefined, { signal: done }).catch(() => {});
  }
}

/** One Deployment, from its creation until its status says that all pods are available. */
async function runDeployment(replay: Replay, name: string): Promise<void> {
  const { replicas } = replay.size;
  const path = collectionOf(replay, '/apis/apps/v1', 'deployments');
  const created = await byUser(replay, 'POST', path, newDeployment(name, replicas));
  const deployment = new Owner(replay, 'deployments', JSON.parse(created.toString()) as Stored);
  const made = await create(replay, '/apis/apps/v1', 'replicasets', newReplicaSet(deployment.stored, replicas));
  const replicaSet = new Owner(replay, 'replicasets', made);
  await Promise.all([
    createEvent(replay, deployment.stored, 'deployment-controller'),
    deployment.writeStatus(deploymentStatus({ replicas, created: 0, ready: 0 }, now())),
    runPods(replay, name, deployment, replicaSet),
  ]);
}

/** Creates the pods in batches that double, and writes the owners' statuses as they become ready. */
async function runPods(replay: Replay, app: string, deployment: Owner, replicaSet: Owner): Promise<void> {
  const { replicas } = replay.size;
  let ready = 0;
  const running: Promise<void>[] = [];
  const statuses: Promise<void>[] = [];
  const report = (created: number): void => {
    const status = replicaSet.writeStatus(replicaSetStatus(created, ready));
    const counts = { replicas, created, ready };
    statuses.push(status.then(() => deployment.writeStatus(deploymentStatus(counts, now()))));
  };
  const steps = new Set(readySteps.map((part) => Math.ceil(replicas * part)));
  const runPod = async (pod: Stored, index: number): Promise<void> => {
    await schedule(replay, pod, nodeNames[index % nodeNames.length] ?? '');
    ready++;
    if (steps.has(ready)) report(replicas);
  };
  for (let first = 0, batch = 1; first < replicas; first += batch, batch *= 2) {
    await eachOf(Math.min(batch, replicas - first), batch, async (index) => {
      const pod = await create(replay, '/api/v1', 'pods', newPod(replicaSet.stored, app));
      running.push(runPod(pod, first + index));
    });
  }
  running.push(createEvent(replay, replicaSet.stored, 'replicaset-controller'));
  if (ready < replicas) report(replicas);
  await Promise.all(running);
  await Promise.all(statuses);
}

/** The scheduler binds a pod; then its node runs it, while the scheduler says so. */
async function schedule(replay: Replay, pod: Stored, node: string): Promise<void> {
  const { scheduler } = replay;
  const { name } = pod.metadata;
  const path = `${collectionOf(replay, '/api/v1', 'pods')}/${name}`;
  await byProgram(replay, scheduler, { method: 'POST', path: `${path}/binding`, body: encoded(newBinding(pod, node)) });
  const serial = ++replay.serial;
  const event = byProgram(replay, scheduler, {
    method: 'POST',
    path: collectionOf(replay, '/apis/events.k8s.io/v1', 'events'),
    body: encoded(newScheduledEvent(pod, node, serial)),
  });
  const body = JSON.stringify(runningPod(`10.88.${(serial >> 8) & 255}.${serial & 255}`, now()));
  const type = 'application/strategic-merge-patch+json';
  await byHttp1(replay, replay.nodes, { method: 'PATCH', path: `${path}/status`, type, body });
  await event;
}

async function createEvent(replay: Replay, subject: Stored, component: string): Promise<void> {
  await create(replay, '/api/v1', 'events', newEvent(subject, component, `Created ${subject.kind}`, ++replay.serial));
}

/** The update with this number meets a conflict first, as one in five did when this was recorded. */
const conflicting = 1;

/** An object whose controller writes its status, one write after the other. */
class Owner {
  readonly #replay: Replay;
  readonly #resource: string;
  stored: Stored;
  #previous: Stored;
  #writes = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(replay: Replay, resource: string, stored: Stored) {
    this.#replay = replay;
    this.#resource = resource;
    this.stored = stored;
    this.#previous = stored;
  }

  /** Writes a status after the earlier ones. */
  writeStatus(status: JsonObject): Promise<void> {
    this.#last = this.#last.then(() => this.#write(status));
    return this.#last;
  }

  async #write(status: JsonObject): Promise<void> {
    const { manager } = this.#replay;
    const path = `${collectionOf(this.#replay, '/apis/apps/v1', this.#resource)}/${this.stored.metadata.name}`;
    const put = (stored: Stored, expected?: number): Promise<Buffer> =>
      byProgram(this.#replay, manager, {
        method: 'PUT',
        path: `${path}/status`,
        body: encoded({ ...stored, status }),
        ...(expected === undefined ? {} : { expected }),
      });
    if (this.#writes++ === conflicting) {
      await put(this.#previous, 409);
      if (this.#resource === 'replicasets') await byProgram(this.#replay, manager, { method: 'GET', path });
    }
    this.#previous = this.stored;
    this.stored = await decoded(await put(this.stored));
  }
}

/** Creates an object as the controller manager. */
async function create(replay: Replay, group: string, resource: string, object: JsonObject): Promise<Stored> {
  const path = collectionOf(replay, group, resource);
  return decoded(await byProgram(replay, replay.manager, { method: 'POST', path, body: encoded(object) }));
}

async function byProgram(replay: Replay, client: ProgramClient, request: ProgramRequest): Promise<Buffer> {
  const response = await client.send(request);
  keepSample(replay, request, response);
  return response;
}

function byUser(replay: Replay, method: 'GET' | 'POST', path: string, object?: JsonObject): Promise<Buffer> {
  return byHttp1(replay, replay.user, { method, path, ...(object ? { body: JSON.stringify(object) } : {}) });
}

async function byHttp1(replay: Replay, clients: ClientPool, request: LoadRequest): Promise<Buffer> {
  const response = await clients.send(request);
  keepSample(replay, request, response);
  return response;
}

function keepSample(
  { samples }: Replay,
  { method = 'GET', path }: Pick<LoadRequest, 'method' | 'path'>,
  response: Buffer,
): void {
  const shape = requestShape(method, path);
  // The last list has what all of them had at the end.
  if (shape && (method === 'GET' || !samples.has(shape.name))) samples.set(shape.name, response);
}

function collectionOf({ namespace }: Replay, group: string, resource: string): string {
  return `${group}/namespaces/${namespace}/${resource}`;
}

function encoded(object: JsonObject): Buffer {
  return Buffer.concat([...codec.encodeObject(documentOf(object))]);
}

async function decoded(bytes: Buffer): Promise<Stored> {
  // The server returns the object that was written.
  return (await codec.decodeObject(bytes, { duplicates: false, kind: undefined })).value as Stored;
}

function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
