import { BlockList } from 'node:net';
import type { Condition } from '../../gen/types/meta-v1.ts';
import type { ServiceCIDR } from '../../gen/types/networking-v1.ts';

/** The inputs of the plan for a ServiceCIDR. */
interface CidrFacts {
  readonly finalizer: string;
  readonly product: string;
  readonly nowMs: number;
  /** Returns all ServiceCIDRs, including the planned one. */
  readonly others: () => readonly ServiceCIDR[];
  /** Returns the addresses, which are the names of all IPAddress objects. */
  readonly addresses: () => readonly string[];
}

/** The next step for a ServiceCIDR; the following one is planned by a later reconcile. */
interface CidrPlan {
  /** The object to write, with changed finalizers. */
  readonly object?: ServiceCIDR;
  /** The object whose status to write. */
  readonly withStatus?: ServiceCIDR;
  readonly requeueAfterMs?: number;
}

/**
 * The time after the deletion in which servers may still allocate addresses, until they notice it.
 */
const graceMs = 10_000;

/** The time between checks of a deleted ServiceCIDR that waits for addresses. */
const waitMs = 30_000;

/**
 * Plans the next step. A ServiceCIDR first gets the finalizer, then the condition Ready. A deleted
 * one loses the finalizer when no address depends on it and servers have had time to notice the
 * deletion.
 */
export function planServiceCidr(cidr: ServiceCIDR, facts: CidrFacts): CidrPlan {
  const { finalizers = [], deletionTimestamp } = cidr.metadata ?? {};
  const isHeld = finalizers.includes(facts.finalizer);
  if (!deletionTimestamp) {
    if (!isHeld) return { object: withFinalizers(cidr, [...finalizers, facts.finalizer]) };
    const title = facts.product.slice(0, 1).toUpperCase() + facts.product.slice(1);
    return withCondition(cidr, facts, { status: 'True', reason: '', message: `${title} Service CIDR is ready` });
  }
  if (!isHeld) return {};
  if (isNeeded(cidr, facts)) {
    const message =
      'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR';
    const plan = withCondition(cidr, facts, { status: 'False', reason: 'Terminating', message });
    return { ...plan, requeueAfterMs: waitMs };
  }
  const leftMs = Date.parse(deletionTimestamp) + graceMs - facts.nowMs;
  if (leftMs > 0) return { requeueAfterMs: leftMs };
  return {
    object: withFinalizers(
      cidr,
      finalizers.filter((one) => one !== facts.finalizer),
    ),
  };
}

function withFinalizers(cidr: ServiceCIDR, finalizers: string[]): ServiceCIDR {
  return { ...cidr, metadata: { ...cidr.metadata, finalizers } };
}

/** Sets the condition Ready, if it differs. */
function withCondition(
  cidr: ServiceCIDR,
  { nowMs }: CidrFacts,
  state: Pick<Condition, 'status' | 'reason' | 'message'>,
): CidrPlan {
  const conditions = cidr.status?.conditions ?? [];
  const present = conditions.find(({ type }) => type === 'Ready');
  if (present?.status === state.status) return {};
  const lastTransitionTime = new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const ready = { type: 'Ready', ...state, lastTransitionTime };
  return {
    withStatus: { ...cidr, status: { conditions: [...conditions.filter(({ type }) => type !== 'Ready'), ready] } },
  };
}

/** True if an address is only in this ServiceCIDR, and in no other that remains. */
function isNeeded(cidr: ServiceCIDR, { others, addresses }: CidrFacts): boolean {
  const own = networksOf([cidr]);
  const name = cidr.metadata?.name;
  const staying = others().filter(({ metadata }) => metadata?.name !== name && !metadata?.deletionTimestamp);
  const rest = networksOf(staying);
  return addresses().some((address) => has(own, address) && !has(rest, address));
}

function has(list: BlockList, address: string): boolean {
  return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

function networksOf(cidrs: readonly ServiceCIDR[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs.flatMap(({ spec }) => spec?.cidrs ?? [])) {
    const [network = '', bits = ''] = cidr.split('/');
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
