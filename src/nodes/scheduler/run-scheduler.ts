import { pause } from '../../async/timers.ts';
import { whenAborted } from '../../async/abort-signals.ts';
import { Semaphore } from '../../async/semaphore.ts';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { builtInResources } from '../../client/built-in-resources.ts';
import { type Node, nodes, type Pod, pods } from '../../controllers/resources.ts';
import { hasEnded } from '../../kinds/core/pod.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { Namespace } from '../../gen/types/core-v1.ts';
import type { ObstacleOptions } from './node-obstacles.ts';
import { chooseNode, type NodeChoice, noNode } from './choose-node.ts';
import { ClusterState } from './cluster-state.ts';
import { PodQueue } from './pod-queue.ts';
import { priorityOf } from './pod-priority.ts';
import { makeRoom } from './make-room.ts';
import { isOlder, isSameDemand, isSameNeighbour, isSameOffer, isWaiting } from './relevant-changes.ts';
import { claimProblem, volumeCheck, waitingClaims } from './volume-checks.ts';
import { claimNamesOf, type VolumeLookup, volumeLookup } from './volume-lookup.ts';
import { type NoNode, placeGroup } from './place-group.ts';
import { hasGroup, PodGroups } from './pod-groups.ts';
import { deviceLookup } from './devices/device-lookup.ts';
import { type DeviceReservation, DeviceScheduling } from './devices/device-scheduling.ts';
import { type SchedulerCalls, schedulerCalls, type SchedulerOptions } from './scheduler-calls.ts';

/** Requests at the same time. */
const concurrency = 32;

/** The shortest time between two rounds of tries for the pods without a node. */
const leastRetryMs = 20;

/** The share of the time that rounds without success may take, as its inverse. */
const restFactor = 4;

/** The time until a pod is tried again whose binding failed. */
const failureMs = 1000;

/** Binds pods to nodes, until the signal aborts. */
export async function runScheduler(options: SchedulerOptions, signal: AbortSignal): Promise<void> {
  await new Scheduler(options, signal).run();
}

/** The pods that wait for a node, and the loop that places them. */
class Scheduler {
  readonly #signal: AbortSignal;
  readonly #onError: (error: unknown) => void;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #namespaces: Informer<Namespace>;
  readonly #calls: SchedulerCalls;
  readonly #state: ClusterState;
  readonly #obstacles: ObstacleOptions;
  readonly #volumes: VolumeLookup;
  readonly #devices: DeviceScheduling;
  readonly #groups: PodGroups;
  readonly #placing: Parameters<typeof placeGroup>[2];
  readonly #queue = new PodQueue();
  readonly #slots = new Semaphore(concurrency);
  /** Pods without a node, which are tried again when something changes. */
  readonly #parked = new Map<string, Pod>();
  /** Pods whose requests are under way. */
  readonly #busy = new Set<string>();
  #wake = new AbortController();
  /** The node at which the next choice begins. */
  #start = 0;
  /** The time of the choices without success since the last round. */
  #spentMs = 0;
  #retryIsDue = false;

  constructor(options: SchedulerOptions, signal: AbortSignal) {
    const { informers, identifiers, onError } = options;
    this.#signal = signal;
    this.#onError = onError;
    this.#pods = informers.informer(pods);
    this.#nodes = informers.informer(nodes);
    this.#namespaces = informers.informer(builtInResources(identifiers.set).namespaces);
    this.#calls = schedulerCalls(options, signal);
    this.#state = new ClusterState((name) => this.#namespaces.get(name)?.metadata?.labels);
    this.#volumes = volumeLookup(options, () => this.#retry(), signal);
    const devices = deviceLookup(options, () => this.#retry(), signal);
    this.#devices = new DeviceScheduling(devices, { client: options.client, identifiers, signal });
    this.#groups = new PodGroups(options, () => this.#retry(), signal);
    this.#placing = {
      groups: this.#groups,
      choose: (pod) => this.#choose(pod),
      assume: (pod, node) => this.#assume(pod, node),
      leave: ({ metadata }) => this.#state.remove(metadata.uid),
      isPlaced: ({ metadata }) => this.#state.nodeOf(metadata.uid) !== undefined,
      bind: (pod, node, reserved) => this.#bind(pod, node, reserved),
      refuse: (pod, choice) => this.#refuse(pod, choice),
      park: (pod) => this.#parked.set(pod.metadata.uid, pod),
      report: (pod, message) => this.#calls.reportUnschedulable(pod, message),
    };
    this.#obstacles = {
      unschedulableTaint: `node.${identifiers.labelDomain}/unschedulable`,
      volumeCheck: (pod) => volumeCheck(pod, this.#volumes, identifiers),
      deviceCheck: (pod) => this.#devices.check(pod),
    };
  }

  /** Places pods until the signal aborts. */
  async run(): Promise<void> {
    this.#follow();
    const sources = [this.#pods, this.#nodes, this.#namespaces];
    await Promise.all(sources.map((source) => source.synced(this.#signal)));
    const running = new Set<Promise<void>>();
    for (let startMs = performance.now(); !this.#signal.aborted; ) {
      if (this.#queue.size === 0) {
        this.#wake = new AbortController();
        await whenAborted(AbortSignal.any([this.#signal, this.#wake.signal]));
        startMs = performance.now();
      } else if (await this.#slots.acquire(this.#signal).catch(() => false)) {
        const run = this.#scheduleNext().finally(() => running.delete(run));
        running.add(run);
        if (await yieldIfLong(startMs)?.then(() => true)) startMs = performance.now();
      }
    }
    await Promise.all(running);
  }

  #follow(): void {
    const observe = (pod: Pod, old?: Pod): void => this.#observe(pod, old);
    const signal = this.#signal;
    this.#pods.subscribe(
      { add: observe, update: observe, delete: ({ metadata }) => this.#forget(metadata.uid) },
      signal,
    );
    const nodeChanged = (node: Node, old?: Node): void => {
      this.#state.setNode(node);
      if (this.#parked.size > 0 && !(old && isSameOffer(node, old))) this.#retry();
    };
    const removed = ({ metadata }: Node): void => this.#state.removeNode(metadata.name);
    this.#nodes.subscribe({ add: nodeChanged, update: nodeChanged, delete: removed }, signal);
    const namespaceChanged = (): void => {
      this.#state.namespacesChanged();
      this.#retry();
    };
    this.#namespaces.subscribe({ add: namespaceChanged, update: namespaceChanged }, signal);
  }

  #enqueue(pod: Pod): void {
    this.#parked.delete(pod.metadata.uid);
    this.#queue.add(pod);
    this.#wake.abort();
  }

  /** Tries the parked pods again, once for many changes, after a rest in proportion to the work. */
  #retry(): void {
    if (this.#retryIsDue || this.#parked.size === 0) return;
    this.#retryIsDue = true;
    void this.#retryLater();
  }

  async #retryLater(): Promise<void> {
    await pause(Math.max(leastRetryMs, restFactor * this.#spentMs), this.#signal);
    this.#retryIsDue = false;
    this.#spentMs = 0;
    for (const pod of this.#parked.values()) if (!this.#busy.has(pod.metadata.uid)) this.#enqueue(pod);
    // The reports of the others may not have been written yet.
    this.#retry();
  }

  /** Counts a pod no longer: it has ended or is gone. */
  #forget(uid: string): void {
    this.#queue.delete(uid);
    this.#parked.delete(uid);
    this.#groups.remove(uid);
    this.#leave(uid);
  }

  /** Removes a pod from the state of its node. */
  #leave(uid: string): void {
    const wasPlaced = this.#state.nodeOf(uid) !== undefined;
    this.#state.remove(uid);
    if (wasPlaced) this.#retry();
  }

  #observe(pod: Pod, old?: Pod): void {
    const { uid, deletionTimestamp } = pod.metadata;
    if (hasEnded(pod)) {
      this.#forget(uid);
      return;
    }
    this.#groups.add(pod);
    if (pod.spec.nodeName) this.#observeBound(pod, pod.spec.nodeName, old);
    else if (deletionTimestamp !== undefined) this.#forget(uid);
    else if (isWaiting(pod) && !this.#busy.has(uid)) {
      // The report of the scheduler itself is no reason to try again.
      const isReported = this.#parked.has(uid) && old && isSameDemand(pod, old);
      if (isReported) this.#parked.set(uid, pod);
      else this.#enqueue(pod);
    }
  }

  #observeBound(pod: Pod, node: string, old?: Pod): void {
    const { uid } = pod.metadata;
    this.#queue.delete(uid);
    this.#parked.delete(uid);
    this.#state.place(pod, node);
    if (this.#parked.size > 0 && !(old && isSameNeighbour(pod, old))) this.#retry();
  }

  async #scheduleNext(): Promise<void> {
    const pod = this.#queue.take();
    try {
      if (pod) await this.#schedule(pod);
    } finally {
      this.#slots.release();
    }
  }

  /** Schedules a pod, or the pods of its group. */
  async #schedule(pod: Pod): Promise<void> {
    const members = hasGroup(pod) ? this.#waitingMembers(pod) : [pod];
    if (!this.#isReady(pod) || !members.every((one) => this.#isReady(one))) {
      // Waiting for the lists here would block a slot for other pods.
      for (const one of members) this.#parked.set(one.metadata.uid, one);
      return;
    }
    for (const { metadata } of members) this.#busy.add(metadata.uid);
    try {
      await (hasGroup(pod) ? placeGroup(pod, members, this.#placing) : this.#place(pod));
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#onError(error);
      for (const one of members) this.#parked.set(one.metadata.uid, one);
      await pause(failureMs, this.#signal);
      this.#retry();
    } finally {
      for (const { metadata } of members) this.#busy.delete(metadata.uid);
    }
    for (const one of members) this.#observeLatest(one);
  }

  #isReady(pod: Pod): boolean {
    const hasVolumes = claimNamesOf(pod).length === 0 || this.#volumes.isReady();
    const hasDevices = this.#devices.isReady(pod);
    return hasVolumes && hasDevices && (!hasGroup(pod) || this.#groups.isReady());
  }

  /** Handles the changes of a pod that arrived while its requests were in flight. */
  #observeLatest(pod: Pod): void {
    const { uid, name, namespace } = pod.metadata;
    const latest = this.#pods.get(name, namespace);
    if (latest?.metadata.uid !== uid) this.#forget(uid);
    else if (latest !== pod && this.#state.nodeOf(uid) === undefined) this.#observe(latest, pod);
  }

  async #place(pod: Pod): Promise<void> {
    const choice = this.#choose(pod);
    if (!('node' in choice)) {
      await this.#refuse(pod, choice);
      return;
    }
    const devices = this.#assume(pod, choice.node);
    await this.#bind(pod, choice.node, devices);
  }

  /** The waiting pods of a group including this one, in scheduling order. */
  #waitingMembers(pod: Pod): readonly Pod[] {
    const members = this.#groups.membersOf(pod).filter((one) => {
      const { uid } = one.metadata;
      return isWaiting(one) && !this.#busy.has(uid) && this.#state.nodeOf(uid) === undefined;
    });
    for (const { metadata } of members) {
      this.#queue.delete(metadata.uid);
      this.#parked.delete(metadata.uid);
    }
    return members.toSorted((a, b) => priorityOf(b) - priorityOf(a) || (isOlder(a, b) ? -1 : 1));
  }

  #choose(pod: Pod): NodeChoice {
    const startMs = performance.now();
    const problem = claimProblem(pod, this.#volumes) ?? this.#devices.problem(pod);
    const choice =
      problem === undefined
        ? chooseNode(pod, this.#state, { ...this.#obstacles, start: this.#start })
        : noNode(problem, this.#state.nodes.length);
    this.#start += concurrency;
    if (!('node' in choice)) this.#spentMs += performance.now() - startMs;
    return choice;
  }

  /** Assigns a pod to a node in the state, and reserves its devices there. */
  #assume(pod: Pod, name: string): DeviceReservation {
    this.#state.place(pod, name);
    const node = this.#state.node(name);
    try {
      if (!node) throw new Error(`node ${name} is gone`);
      return this.#devices.assume(pod, node);
    } catch (error) {
      this.#leave(pod.metadata.uid);
      throw error;
    }
  }

  async #bind(pod: Pod, node: string, devices: DeviceReservation): Promise<void> {
    let isBound = false;
    try {
      await devices.write();
      if (devices.isBoundLater()) await this.#withoutSlot(() => devices.untilBound());
      for (const claim of waitingClaims(pod, this.#volumes)) await this.#calls.selectNode(claim, node);
      isBound = await this.#calls.bind(pod, node);
    } finally {
      if (!isBound && !this.#pods.get(pod.metadata.name, pod.metadata.namespace)?.spec.nodeName) {
        await devices.release();
        this.#leave(pod.metadata.uid);
      }
    }
  }

  /** Waits without holding the slot, so that another pod can use it. */
  async #withoutSlot(wait: () => Promise<void>): Promise<void> {
    this.#slots.release();
    try {
      await wait();
    } finally {
      await this.#slots.acquire(this.#signal).catch(() => false);
    }
  }

  async #refuse(pod: Pod, choice: NoNode): Promise<void> {
    const { uid } = pod.metadata;
    this.#parked.set(uid, pod);
    await this.#devices.tidy(pod);
    const sources = { state: this.#state, calls: this.#calls, obstacles: this.#obstacles };
    const { note, victims } = await makeRoom(pod, choice, sources);
    if (victims) this.#state.nominate(uid, { pod, node: victims.node });
    await this.#calls.reportUnschedulable(pod, choice.message + note, victims?.node);
    await Promise.all((victims?.pods ?? []).map((victim) => this.#calls.evict(victim, pod)));
  }
}
