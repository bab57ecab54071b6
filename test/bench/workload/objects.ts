import type { JsonObject } from '../../../src/meta/json-value.ts';

/** The parts of an object that its owner or a request about it needs. */
export interface Identity extends JsonObject {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** An object as a server returns it. */
export interface Stored extends JsonObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Identity;
}

const templateHash = '687dc56f65';

const podSpec: JsonObject = {
  containers: [
    {
      name: 'c',
      image: 'nginx',
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: 'Always',
      resources: {},
    },
  ],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};

/** A Deployment as its user writes it. */
export function newDeployment(name: string, replicas: number): JsonObject {
  const labels = { app: name };
  const containers = [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

/** The ReplicaSet of a Deployment. */
export function newReplicaSet(deployment: Stored, replicas: number): JsonObject {
  const { name, namespace } = deployment.metadata;
  const labels = { app: name, 'pod-template-hash': templateHash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${templateHash}`,
      namespace,
      labels,
      annotations: {
        'deployment.kubernetes.io/desired-replicas': String(replicas),
        'deployment.kubernetes.io/max-replicas': String(Math.ceil(replicas * 1.25)),
        'deployment.kubernetes.io/revision': '1',
      },
      ownerReferences: [ownerReference(deployment)],
    },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
    status: { replicas: 0 },
  };
}

/** A Pod of a ReplicaSet, which the server names. */
export function newPod(replicaSet: Stored, app: string): JsonObject {
  const { name, namespace } = replicaSet.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: { app, 'pod-template-hash': templateHash },
      ownerReferences: [ownerReference(replicaSet)],
    },
    spec: podSpec,
    status: {},
  };
}

function ownerReference({ apiVersion, kind, metadata: { name, uid } }: Stored): JsonObject {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The scheduler's decision about a Pod. */
export function newBinding({ metadata: { name, namespace, uid } }: Stored, node: string): JsonObject {
  const target = { kind: 'Node', name: node };
  return { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target };
}

/** What a node says of a Pod that runs, as a strategic merge patch. */
export function runningPod(podIP: string, time: string): JsonObject {
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  const state = { running: { startedAt: time } };
  const container = { name: 'c', image: 'nginx', imageID: 'nginx', ready: true, started: true, restartCount: 0, state };
  return {
    status: {
      phase: 'Running',
      podIP,
      podIPs: [{ ip: podIP }],
      hostIP: '127.0.0.1',
      startTime: time,
      conditions: conditions.map((type) => ({ type, status: 'True', lastTransitionTime: time })),
      containerStatuses: [container],
    },
  };
}

/** The status of a ReplicaSet with all its Pods, some of them ready. */
export function replicaSetStatus(replicas: number, ready: number): JsonObject {
  const counts: JsonObject = ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {};
  return { replicas, fullyLabeledReplicas: replicas, ...counts, observedGeneration: 1 };
}

/** The status of a Deployment whose Pods are created (`created`), some of them ready. */
export function deploymentStatus(
  counts: { readonly replicas: number; readonly created: number; readonly ready: number },
  time: string,
): JsonObject {
  const { replicas, created, ready } = counts;
  const isAvailable = ready === replicas;
  const of = (type: string, status: string, reason: string, message: string): JsonObject => {
    return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
  };
  const available = isAvailable
    ? of('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
    : of('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.');
  const progressing = of('Progressing', 'True', 'NewReplicaSetCreated', 'Created new replica set');
  return {
    observedGeneration: 1,
    ...(created > 0 ? { replicas: created, updatedReplicas: created, unavailableReplicas: replicas - ready } : {}),
    ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
    conditions: created > 0 ? [available, progressing] : [progressing],
  };
}

/** An Event of a controller, in the first API of Events. */
export function newEvent(subject: Stored, component: string, message: string, serial: number): JsonObject {
  const { apiVersion, kind, metadata } = subject;
  const { name, namespace, uid, resourceVersion } = metadata;
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName(name, serial), namespace },
    involvedObject: { kind, namespace, name, uid, apiVersion, resourceVersion },
    reason: 'SuccessfulCreate',
    message,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Normal',
  };
}

/** The scheduler's Event about a Pod, in `events.k8s.io`. */
export function newScheduledEvent(pod: Stored, node: string, serial: number): JsonObject {
  const { name, namespace, uid, resourceVersion } = pod.metadata;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: eventName(name, serial), namespace },
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    reportingController: 'default-scheduler',
    reportingInstance: 'default-scheduler-vm',
    action: 'Binding',
    reason: 'Scheduled',
    regarding: { kind: 'Pod', namespace, name, uid, apiVersion: 'v1', resourceVersion },
    note: `Successfully assigned ${namespace}/${name} to ${node}`,
    type: 'Normal',
  };
}

function eventName(subject: string, serial: number): string {
  return `${subject}.${(0x18eab264e0000000n + BigInt(serial)).toString(16)}`;
}
