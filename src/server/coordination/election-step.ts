import { compareSemvers, readSemver } from '../../cel/functions/semvers.ts';
import type { Lease } from '../../gen/stored/coordination-v1.ts';
import type { LeaseCandidate } from '../../gen/stored/coordination-v1beta1.ts';
import { oldestEmulationVersion } from '../../resources/coordination/lease-strategy.ts';

/** The time in which candidates must answer, and in which an answer counts. */
const electionMs = 5_000;

/** How long a candidate that does not renew is one. */
const candidateMs = 1_800_000;

/** The next step of an election for a Lease. */
type ElectionStep =
  | { readonly kind: 'wait' }
  | { readonly kind: 'ask'; readonly candidates: readonly LeaseCandidate[] }
  | { readonly kind: 'elect'; readonly strategy: string; readonly holder: string | undefined };

const wait: ElectionStep = { kind: 'wait' };

/** True for a candidate that has not renewed for so long that it is none. */
export function isExpired({ spec }: LeaseCandidate, nowMs: number): boolean {
  return !spec.renewTime || Date.parse(spec.renewTime) + candidateMs < nowMs;
}

/**
 * Plans the next step from the Lease and its candidates alone: nothing if the best candidate holds
 * it, a question to all candidates, then the choice among those that have answered. Throws Error if
 * candidates contradict each other about the strategy.
 */
export function electionStep(lease: Lease | undefined, all: readonly LeaseCandidate[], nowMs: number): ElectionStep {
  const candidates = all.filter((one) => !isExpired(one, nowMs));
  if (candidates.length === 0) return wait;
  if (!isNeeded(lease, candidates, nowMs)) return wait;
  const asked = candidates.filter((one) => !hasAnswered(one) && isRecent(one.spec.pingTime, nowMs));
  const toAsk = candidates.filter((one) => !isRecent(one.spec.renewTime, nowMs) && mayBeAsked(one, nowMs));
  if (toAsk.length > 0) return { kind: 'ask', candidates: toAsk };
  if (asked.length > 0) return wait;
  const present = candidates.filter(({ spec }) => isRecent(spec.renewTime, nowMs));
  if (present.length === 0) return wait;
  const strategy = strategyOf(present);
  return { kind: 'elect', strategy, holder: strategy === oldestEmulationVersion ? best(present) : undefined };
}

function isNeeded(lease: Lease | undefined, candidates: readonly LeaseCandidate[], nowMs: number): boolean {
  if (!lease || isStale(lease, nowMs) || !lease.spec.holderIdentity) return true;
  const isLate = ({ spec }: LeaseCandidate) => Date.parse(spec.renewTime ?? '') + candidateMs / 2 < nowMs;
  if (candidates.some(isLate)) return true;
  if (strategyOf(candidates) !== oldestEmulationVersion) return false;
  const elected = best(candidates);
  return elected !== undefined && elected !== lease.spec.holderIdentity;
}

/** True for a Lease that its holder has not renewed in time. */
function isStale({ spec: { renewTime, leaseDurationSeconds } }: Lease, nowMs: number): boolean {
  if (!renewTime || leaseDurationSeconds === undefined) return true;
  return Date.parse(renewTime) + leaseDurationSeconds * 1000 < nowMs;
}

function isRecent(time: string | null | undefined, nowMs: number): boolean {
  return Boolean(time) && Date.parse(time ?? '') + electionMs > nowMs;
}

/** True for a candidate that has renewed since it was asked, or was not asked. */
function hasAnswered({ spec: { pingTime, renewTime } }: LeaseCandidate): boolean {
  return !pingTime || (Boolean(renewTime) && Date.parse(renewTime ?? '') >= Date.parse(pingTime));
}

function mayBeAsked(candidate: LeaseCandidate, nowMs: number): boolean {
  const { pingTime } = candidate.spec;
  return !pingTime || (!isRecent(pingTime, nowMs) && hasAnswered(candidate));
}

/** The strategy of the candidate with the newest program. */
function strategyOf(candidates: readonly LeaseCandidate[]): string {
  const byVersion = candidates.toSorted((a, b) => compareVersions(b.spec.binaryVersion, a.spec.binaryVersion));
  const [first] = byVersion;
  if (!first) return '';
  const other = byVersion.find(
    ({ spec }) =>
      compareVersions(spec.binaryVersion, first.spec.binaryVersion) === 0 && spec.strategy !== first.spec.strategy,
  );
  if (other) {
    const names = `${JSON.stringify(first.metadata.name)}, ${JSON.stringify(other.metadata.name)}`;
    throw new Error(`candidates ${names} at same binary version but received differing strategies`);
  }
  return first.spec.strategy ?? '';
}

/** The name of the candidate that behaves as the oldest version, then is the oldest program. */
function best(candidates: readonly LeaseCandidate[]): string | undefined {
  const valid = candidates.filter(
    ({ spec }) => readSemver(spec.emulationVersion ?? '') && readSemver(spec.binaryVersion),
  );
  const [first] = valid.toSorted(
    (a, b) =>
      compareVersions(a.spec.emulationVersion ?? '', b.spec.emulationVersion ?? '') ||
      compareVersions(a.spec.binaryVersion, b.spec.binaryVersion) ||
      Date.parse(a.metadata.creationTimestamp ?? '') - Date.parse(b.metadata.creationTimestamp ?? ''),
  );
  return first?.metadata.name;
}

/** A version that cannot be read is the lowest one. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [readSemver(a), readSemver(b)];
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined);
  return compareSemvers(left, right);
}

/** How long an elected leader may take until it renews its Lease. */
const leaseSeconds = 5;

type LeaseSpec = Lease['spec'];

/**
 * The spec of a Lease after a choice: a free Lease gets the holder, one that another leader holds
 * gets the preferred holder, which ends the term of that leader. Undefined if nothing changes.
 */
export function electedSpec(
  lease: Lease | undefined,
  { strategy, holder }: Extract<ElectionStep, { readonly kind: 'elect' }>,
  { nowMs, renewTime }: { readonly nowMs: number; readonly renewTime: string },
): LeaseSpec | undefined {
  const chosen = holder === undefined ? {} : { holderIdentity: holder };
  if (!lease) return { strategy, leaseDurationSeconds: leaseSeconds, renewTime, ...chosen };
  const { preferredHolder: _preferred, acquireTime: _acquired, ...rest } = lease.spec;
  const current = lease.spec.holderIdentity ?? '';
  const isFree = current === '' || (isStale(lease, nowMs) && current !== holder);
  if (holder !== undefined && isFree) {
    return { ...rest, strategy, holderIdentity: holder, renewTime, leaseDurationSeconds: leaseSeconds };
  }
  const isOther = holder !== undefined && holder !== current && lease.spec.preferredHolder !== holder;
  if (!isOther && lease.spec.strategy === strategy) return undefined;
  return { ...lease.spec, strategy, ...(isOther ? { preferredHolder: holder } : {}) };
}
