import type { Client } from '../../client/client.ts';
import type { Lease } from '../../client/leader-election.ts';
import { hasReason } from '../../client/status-error.ts';
import { pause } from '../../async/pause.ts';
import { type Node, nodes } from '../../controllers/kinds/node.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { nodeObject, nodeStatus } from './node-object.ts';
import { nowMicroTime } from '../../meta/now-micro-time.ts';

/** A stand-in node, and how errors are reported. */
interface NodeOptions {
  readonly client: Client;
  readonly identifiers: Identifiers;
  readonly name: string;
  readonly address: string;
  readonly onError: (error: unknown) => void;
}

/** The times of node agents. */
const leaseDurationSeconds = 40;
const renewalMs = 10_000;

/** Registers a node that is ready. One that exists keeps its labels, taints and capacity. */
export async function registerNode({ client, identifiers, name, address }: NodeOptions, signal: AbortSignal) {
  const resource = client.resource(nodes);
  try {
    // The server completes the metadata.
    await resource.create(nodeObject(name, identifiers) as Node, { signal });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
  const present = await resource.get(name, { signal });
  const { capacity, allocatable, ...status } = nodeStatus(name, address, identifiers, Date.now());
  const resources = present.status?.capacity ? {} : { capacity, allocatable };
  await resource.patch(name, { status: { ...status, ...resources } }, { type: 'merge', subresource: 'status', signal });
  // Admission taints a new node until it is ready.
  const notReady = `node.${identifiers.labelDomain}/not-ready`;
  const taints = present.spec?.taints?.filter(({ key }) => key !== notReady);
  if (taints?.length !== present.spec?.taints?.length) {
    await resource.patch(name, { spec: { taints } }, { type: 'merge', signal });
  }
}

/** Renews the lease of a node until the signal aborts. */
export async function keepLease(
  { client, identifiers, name, onError }: NodeOptions,
  signal: AbortSignal,
): Promise<void> {
  const namespace = `${identifiers.prefix}node-lease`;
  const leases = client.resource<Lease>({
    group: `coordination.${identifiers.apiDomain}`,
    version: 'v1',
    resource: 'leases',
  });
  while (!signal.aborted) {
    const renewTime = nowMicroTime();
    const spec = { holderIdentity: name, leaseDurationSeconds, renewTime };
    try {
      await leases.patch(name, { spec }, { type: 'merge', namespace, signal });
    } catch (error) {
      if (hasReason(error, 'NotFound')) await create(spec);
      else if (!signal.aborted) onError(error);
    }
    await pause(renewalMs, signal);
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
