import type { UserInfo } from '../meta/user-info.ts';

/**
 * Returns the queues of a flow: `handSize` distinct numbers below `queues`, the same ones for the
 * same flow. Two flows seldom have all queues in common, so that a flow that fills its own queues
 * leaves most other flows a free one.
 */
export function dealHand(flow: string, queues: number, handSize: number): readonly number[] {
  let entropy = hash53(flow);
  const hand: number[] = [];
  const ascending: number[] = [];
  for (let dealt = 0; dealt < handSize; dealt++) {
    const left = queues - dealt;
    let card = entropy % left;
    entropy = Math.floor(entropy / left);
    // The card counts among those that are left.
    let place = 0;
    while (place < ascending.length && (ascending[place] ?? 0) <= card) {
      card++;
      place++;
    }
    ascending.splice(place, 0, card);
    hand.push(card);
  }
  return hand;
}

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;
/** Finishing steps of MurmurHash3: FNV alone changes few high bits for short texts. */
const mixers = [0x85ebca6b, 0xc2b2ae35] as const;

/** A hash with the 53 bits that a number holds exactly. */
function hash53(text: string): number {
  const low = hash32(text, offsetBasis);
  const high = hash32(text, low);
  return (high & 0x1fffff) * 2 ** 32 + low;
}

/** FNV-1a, with a seed and a final mix. */
function hash32(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), prime);
  hash = Math.imul(hash ^ (hash >>> 16), mixers[0]);
  hash = Math.imul(hash ^ (hash >>> 13), mixers[1]);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The facts about a request that flow schemas examine. */
export interface RequestDigest {
  readonly user: UserInfo;
  readonly verb: string;
  /** False for a request outside the API, which has a path only. */
  readonly resourceRequest: boolean;
  readonly apiGroup: string;
  /** The resource, with its sub-resource after a slash. */
  readonly resource: string;
  /** '' at the cluster scope. */
  readonly namespace: string;
  readonly path: string;
}
