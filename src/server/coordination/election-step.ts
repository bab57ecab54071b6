import { compareSemvers, readSemver } from '../../cel/functions/semvers.ts';
import type { Lease } from '../../gen/stored/coordination-v1.ts';
import type { LeaseCandidate } from '../../gen/stored/coordination-v1beta1.ts';
import { oldestEmulationVersion } from '../../resources/coordination/lease-strategy.ts';

/** How long candidates have to answer a ping, and how long an answer counts. */
const electionMs = 5_000;

/** How long a candidate remains valid without a renewal. */
const candidateMs = 1_800_000;

/** The next step of an election for a Lease. */
type ElectionStep =
  | { readonly kind: 'wait' }
  | { readonly kind: 'ask'; readonly candidates: readonly LeaseCandidate[] }
  | { readonly kind: 'elect'; readonly strategy: string; readonly holder: string | undefined };

const wait: ElectionStep = { kind: 'wait' };

/** True if a candidate has not renewed for so long that it is invalid. */
export function isExpired({ spec }: LeaseCandidate, nowMs: number): boolean {
  return !spec.renewTime || Date.parse(spec.renewTime) + candidateMs < nowMs;
}

/**
 * Plans the next step of an election from the Lease and its candidates: wait if the best candidate
 * holds the Lease, ping the candidates, then elect among those that have answered. Throws Error if
 * candidates disagree about the strategy.
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

/** True if the holder has not renewed the Lease in time. */
function isStale({ spec: { renewTime, leaseDurationSeconds } }: Lease, nowMs: number): boolean {
  if (!renewTime || leaseDurationSeconds === undefined) return true;
  return Date.parse(renewTime) + leaseDurationSeconds * 1000 < nowMs;
}

function isRecent(time: string | null | undefined, nowMs: number): boolean {
  return Boolean(time) && Date.parse(time ?? '') + electionMs > nowMs;
}

/** True if a candidate has renewed since its last ping, or was not pinged. */
function hasAnswered({ spec: { pingTime, renewTime } }: LeaseCandidate): boolean {
  return !pingTime || (Boolean(renewTime) && Date.parse(renewTime ?? '') >= Date.parse(pingTime));
}

function mayBeAsked(candidate: LeaseCandidate, nowMs: number): boolean {
  const { pingTime } = candidate.spec;
  return !pingTime || (!isRecent(pingTime, nowMs) && hasAnswered(candidate));
}

/** The strategy of the candidates with the newest binary version. */
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

/**
 * The candidate with the oldest emulation version, then the oldest binary version, then the oldest.
 */
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

/** Compares versions; an invalid version is the lowest. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [readSemver(a), readSemver(b)];
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined);
  return compareSemvers(left, right);
}

/** How long an elected leader may take to renew its Lease. */
const leaseSeconds = 5;

type LeaseSpec = Lease['spec'];

/**
 * The spec of a Lease after an election. A free Lease gets the holder. If another leader holds it,
 * it gets the preferred holder, so that this leader releases it. Undefined if nothing changes.
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
