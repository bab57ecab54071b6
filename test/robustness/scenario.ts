import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from './api-client.ts';
import type { Finding, History } from './history.ts';
import type { Random } from './random.ts';
import type { Knowledge } from './traffic-client.ts';
import type { Given, World } from './world.ts';

/** What a fault may use. */
export interface FaultContext extends World {
  readonly random: Random;
  readonly history: History;
  readonly knowledge: Knowledge;
  /** A client of the first server that is no part of the recorded traffic. */
  readonly client: ApiClient;
  /** How much of the fault there shall be: 1 in `make robustness`, less in the selection. */
  readonly scale: number;
  /** Tells of a promise that the fault itself saw broken. */
  readonly report: (finding: Finding) => void;
  /** Waits until all referees have seen a revision, so that it may be compacted. */
  readonly refereed: (revision: number) => Promise<void>;
}

/** A fault under which the promises must hold. Traffic goes on all the while. */
export interface Scenario {
  /** A sentence that begins with `when`. */
  readonly name: string;
  readonly given: Given;
  /** Whether the fault explains that requests fail; false by default. */
  readonly errorsExpected?: boolean;
  /** Set where the fault changes the past, so that no history can be right: only what it reports itself counts. */
  readonly changesThePast?: boolean;
  /** Whether the run met what it is about; one that did not proves nothing. */
  readonly met?: (history: History) => boolean;
  /** Whether writers race beside the traffic: for counters, for names, and with deletions. */
  readonly races?: boolean;
  /** Requests a second before the fault, all clients together; 150 by default. */
  readonly rate?: number;
  /** Makes the fault and mends it. Without one, traffic alone is the scenario. */
  readonly fault: (context: FaultContext) => Promise<void>;
}

/** How often a fault with rounds has them. */
export function rounds(count: number, { scale }: Pick<FaultContext, 'scale'>): number {
  return Math.max(1, Math.round(count * scale));
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return sleep(ms);
}
