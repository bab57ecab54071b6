import { pause } from '../async/timers.ts';
import type { LeaseCandidate } from '../gen/types/coordination-v1beta1.ts';
import { nowMicroTime } from '../meta/time.ts';
import type { ResourceClient } from './resource-client.ts';
import { ignoreReasons } from './error-of-response.ts';

/** How often a candidate renews its LeaseCandidate without being asked. */
const renewMs = 300_000;

/** The pause after an error. */
const retryMs = 2_000;

/** The options of a candidate for coordinated leader election. */
interface CandidateOptions {
  readonly candidates: Pick<ResourceClient<LeaseCandidate>, 'get' | 'create' | 'update' | 'watch'>;
  readonly namespace: string;
  /** The name of the candidate, which becomes the holder identity when it is elected. */
  readonly name: string;
  readonly leaseName: string;
  /** The semantic versions of the program and of the release that it emulates. */
  readonly binaryVersion: string;
  readonly emulationVersion: string;
  readonly onError: (error: unknown) => void;
}

/**
 * Maintains a LeaseCandidate until the signal aborts: creates it, and renews it periodically and
 * when the server pings it. The object is not deleted at the end; it expires.
 */
export async function keepLeaseCandidate(options: CandidateOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const metadata = await renew(options, signal);
      await untilAsked(options, metadata?.resourceVersion, signal);
    } catch (error) {
      if (signal.aborted) return;
      options.onError(error);
      await pause(retryMs, signal);
    }
  }
}

async function renew(options: CandidateOptions, signal: AbortSignal): Promise<LeaseCandidate['metadata']> {
  const { candidates, namespace, name, leaseName, binaryVersion, emulationVersion } = options;
  const found = await ignoreReasons(candidates.get(name, { namespace, signal }), 'NotFound');
  const renewTime = nowMicroTime();
  const spec = { leaseName, binaryVersion, emulationVersion, strategy: 'OldestEmulationVersion', renewTime };
  const written = found
    ? await candidates.update({ ...found, spec: { ...found.spec, ...spec } }, { namespace, signal })
    : await candidates.create({ metadata: { name, namespace }, spec }, { namespace, signal });
  return written.metadata;
}

/** Waits until the server pings the candidate, the object is deleted, or a renewal is due. */
async function untilAsked(
  { candidates, namespace, name }: CandidateOptions,
  resourceVersion: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(renewMs)]);
  const fieldSelector = `metadata.name=${name}`;
  const from = resourceVersion === undefined ? {} : { resourceVersion };
  try {
    for await (const { type, object } of candidates.watch({ namespace, fieldSelector, ...from, signal: ended })) {
      const { pingTime, renewTime } = object.spec ?? {};
      if (type === 'DELETED' || (pingTime && pingTime > (renewTime ?? ''))) return;
    }
  } catch (error) {
    if (!ended.aborted) throw error;
  }
}
