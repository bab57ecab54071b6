import type { Logger } from 'pino';
import type { UsedSecret } from '../../authn/service-account/legacy-token-use.ts';
import { lastUsedLabel } from '../../authn/service-account/live-object.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { labelsOf, uidOf } from '../../meta/object-meta.ts';
import { objectAt } from '../../meta/read-field.ts';
import type { Registries } from '../../registry/definition/registry.ts';
import { systemScope } from '../../registry/internal/ensure-object.ts';
import { changeObject } from '../../registry/internal/reconcile-object.ts';

/** How long a request waits for the write, and the pause after a failed write. */
const longestMs = 1_000;
const pauseMs = 10_000;

/** The most Secrets that are written at once; further uses are recorded by later requests. */
const mostWrites = 100;

/** The dependencies of the recorder. */
interface RecorderOptions {
  readonly identifiers: Identifiers;
  /** Returns the registries, which exist before the first request. */
  readonly registries: () => Registries;
  readonly log: Logger;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Creates the function that writes the day of the last use into the label of a Secret. As in
 * kube-apiserver requests wait for the write, but only briefly. Concurrent requests with the same
 * Secret share a write. A failed write is logged, and repeated at a later use.
 */
export function tokenUseRecorder({
  identifiers,
  registries,
  log,
  signal,
}: RecorderOptions): (secret: UsedSecret, day: string) => Promise<void> | undefined {
  const label = lastUsedLabel(identifiers);
  const running = new Map<string, Promise<void>>();
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  async function write({ namespace, name, uid }: UsedSecret, day: string): Promise<void> {
    const secrets = registries().forResource('', 'secrets');
    if (!secrets) return;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
    const scope = { ...systemScope(identifiers, secrets, limit), namespace, name };
    await changeObject(secrets, scope, (found) => {
      const labels = labelsOf(found);
      if (uidOf(found) !== uid || labels[label] === day) return undefined;
      return { ...found, metadata: { ...objectAt(found, 'metadata'), labels: { ...labels, [label]: day } } };
    });
  }

  return (secret, day) => {
    const known = running.get(secret.uid);
    if (known) return known;
    if (running.size >= mostWrites || performance.now() < pausedUntilMs) return undefined;
    const written = write(secret, day)
      .catch((err: unknown) => {
        pausedUntilMs = performance.now() + pauseMs;
        const { namespace, name } = secret;
        log.warn({ err, namespace, secret: name }, 'the use of the token of a Secret was not recorded');
      })
      .finally(() => running.delete(secret.uid));
    running.set(secret.uid, written);
    return written;
  };
}
