import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { Lease } from '../../client/leader-election.ts';
import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import { pause } from '../../async/timers.ts';
import { type Node, nodes } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { type NodeIdentity, nodeObject, nodeStatus } from './node-object.ts';
import { isReported, nodeOutcome, reports } from './node-outcome.ts';
import { nowMicroTime } from '../../meta/time.ts';

/** A stand-in node, and how errors are reported. */
interface NodeOptions extends NodeIdentity {
  readonly client: Client;
  readonly identifiers: Identifiers;
  /** The time without a sign of life after which the controllers count a node as lost. */
  readonly monitorGraceMs: number;
  readonly onError: (error: unknown) => void;
  /** The port of the agent of the node; undefined without one. */
  readonly agentPort?: number | undefined;
  /** The minor number of the release of the server. */
  readonly release: number;
}

/** The renewals of a lease in its duration, as by node agents: every 10 of 40 seconds. */
const renewalsInGrace = 4;
/** Still often enough for those who read leases to see that a node lives. */
const longestRenewalMs = 300_000;

/** Registers a node that is ready. One that exists keeps its labels, taints and capacity. */
export async function registerNode(options: NodeOptions, signal: AbortSignal): Promise<void> {
  const { client, identifiers, name } = options;
  const resource = client.resource(nodes);
  // The server completes the metadata.
  const object = nodeObject(options, identifiers) as Node;
  const created = await ignoreReasons(resource.create(object, { signal }), 'AlreadyExists');
  const present = created ?? (await resource.get(name, { signal }));
  await reportNode(options, present, signal);
  // Admission taints a new node until it is ready.
  const notReady = `node.${identifiers.labelDomain}/not-ready`;
  const taints = present.spec?.taints?.filter(({ key }) => key !== notReady);
  if (taints?.length !== present.spec?.taints?.length) {
    await resource.patch(name, { spec: { taints } }, { type: 'merge', signal });
  }
}

async function reportNode(options: NodeOptions, present: Node, signal: AbortSignal) {
  const { client, identifiers, name } = options;
  const outcome = nodeOutcome(present, identifiers);
  const { capacity, allocatable, conditions, ...reported } = nodeStatus(
    { ...options, present, outcome },
    identifiers,
    Date.now(),
  );
  const status = {
    ...reported,
    ...(present.status?.capacity ? {} : { capacity, allocatable }),
    // The state of a node that is written by others stays when its agent starts again.
    ...(isReported(outcome) || !present.status?.conditions?.length ? { conditions } : {}),
  };
  await client.resource(nodes).patch(name, { status }, { type: 'merge', subresource: 'status', signal });
}

/** Wakes the agent of a node, by its name, when its object has changed. */
export type NodeWakes = Map<string, () => void>;

/**
 * Renews the lease of a node, and reports its state when it is another one, until the signal
 * aborts. Others change it, too: a node that has not been heard of becomes unknown.
 */
export async function keepNode(
  options: NodeOptions & { readonly informer: Informer<Node>; readonly wakes: NodeWakes },
  signal: AbortSignal,
): Promise<void> {
  const { client, identifiers, name, monitorGraceMs, onError, informer, wakes } = options;
  const renewalMs = Math.min(longestRenewalMs, monitorGraceMs / renewalsInGrace);
  const leaseDurationSeconds = Math.max(1, Math.ceil(monitorGraceMs / 1000));
  const namespace = `${identifiers.prefix}node-lease`;
  const leases = client.resource<Lease>({
    group: `coordination.${identifiers.apiDomain}`,
    version: 'v1',
    resource: 'leases',
  });
  let wake = new AbortController();
  wakes.set(name, () => wake.abort());
  // The leases of many nodes are not all renewed at the same moment.
  let pauseMs = renewalMs * Math.random();
  while (!signal.aborted) {
    wake = new AbortController();
    const node = informer.get(name);
    const outcome = nodeOutcome(node, identifiers);
    const isStale = node && isReported(outcome) && !reports(node, outcome);
    if (outcome !== 'Lost') await Promise.all([renew(), isStale && report(node)]);
    await pause(pauseMs, AbortSignal.any([signal, wake.signal]));
    pauseMs = renewalMs;
  }

  async function report(node: Node): Promise<void> {
    try {
      await reportNode(options, node, signal);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }

  async function renew(): Promise<void> {
    const renewTime = nowMicroTime();
    const spec = { holderIdentity: name, leaseDurationSeconds, renewTime };
    try {
      await leases.patch(name, { spec }, { type: 'merge', namespace, signal });
    } catch (error) {
      if (hasReason(error, 'NotFound')) await create(spec);
      else if (!signal.aborted) onError(error);
    }
  }

  async function create(spec: Lease['spec']): Promise<void> {
    try {
      const apiVersion = `coordination.${identifiers.apiDomain}/v1`;
      await leases.create({ apiVersion, kind: 'Lease', metadata: { name, namespace }, spec }, { signal });
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }
}
