import { BlockList } from 'node:net';
import type { Condition } from '../../gen/types/meta-v1.ts';
import type { ServiceCIDR } from '../../gen/types/networking-v1.ts';

/** The facts that the plan for a ServiceCIDR needs. */
interface CidrFacts {
  readonly finalizer: string;
  readonly product: string;
  readonly nowMs: number;
  /** All ServiceCIDRs, with the one that is planned. */
  readonly others: () => readonly ServiceCIDR[];
  /** The names of all IPAddress objects, which are the addresses. */
  readonly addresses: () => readonly string[];
}

/** The next step for a ServiceCIDR; a later call plans the one after it. */
interface CidrPlan {
  /** The object with other finalizers, to be written. */
  readonly object?: ServiceCIDR;
  /** The object with another status, to be written. */
  readonly withStatus?: ServiceCIDR;
  readonly requeueAfterMs?: number;
}

/** Servers may take addresses for this time after the deletion, until they know of it. */
const graceMs = 10_000;

/** How often a deletion that waits for addresses is looked at again. */
const waitMs = 30_000;

/**
 * Plans the next step: a ServiceCIDR gets the finalizer, then it is ready. A deleted one loses it
 * once no address depends on it, and the servers have had time to notice.
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

/** The object with the condition Ready in a state, unless it has it. */
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

/** True if an address is in the ranges, and in the ranges of no other ServiceCIDR that stays. */
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
