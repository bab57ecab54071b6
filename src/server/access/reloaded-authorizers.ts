import { isDeepStrictEqual } from 'node:util';
import { linkSignals } from '../../async/abort-signals.ts';
import type { Authorizer } from '../../authz/authorizer.ts';
import { replaceableAuthorizers } from '../../authz/replaceable-authorizers.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import type { AuthorizationConfiguration } from '../../config/authorization-configuration.ts';
import type { ReloadMetrics } from './reload-metrics.ts';
import type { ConfiguredMode } from '../../config/flags/authorization-options.ts';
import { Reloaded } from '../../listen/reloaded.ts';

/** How the authorizers of a configuration file are read and created. */
interface ReloadedAuthorizersOptions extends Pick<AccessDependencies, 'log' | 'signal'> {
  /** Reads the file. Rejects if it is invalid. */
  readonly read: () => Promise<AuthorizationConfiguration>;
  /** Creates the authorizer of a mode, which works until the signal aborts. */
  readonly create: (mode: ConfiguredMode, signal: AbortSignal) => Promise<Authorizer>;
  /** Time between two reads of the file; 0 reads once. */
  readonly intervalMs: number;
  readonly reloads: ReloadMetrics;
}

/** An authorizer with the mode that it was created for. */
interface OpenMode {
  readonly mode: ConfiguredMode;
  readonly authorizer: Authorizer;
  readonly close: () => void;
}

/** Requests that ask a removed webhook have this time to end. A call takes 30 seconds at most. */
const closingMs = 60_000;

/**
 * Creates the authorizers of a configuration file, which is read again while the server runs. Other
 * webhooks are used from then on; unchanged ones keep their caches. A file that is invalid, or that
 * adds or removes another mode than a webhook, is not used: those modes have their settings from
 * the start, and a mistake must not open the server. Rejects if the file is unusable at first.
 */
export async function reloadedAuthorizers(options: ReloadedAuthorizersOptions): Promise<Authorizer> {
  const { read, create, intervalMs, reloads, log, signal } = options;
  let first: readonly ConfiguredMode[] | undefined;
  const checked = async (): Promise<AuthorizationConfiguration> => {
    const configuration = await read();
    requireSameModes((first ??= configuration.modes), configuration.modes);
    return configuration;
  };
  const what = 'the configuration of authorization';
  const onReload = (outcome: 'success' | 'failure'): void => reloads.reloaded(outcome);
  const configuration = await Reloaded.open({ what, read: checked, intervalMs, log, onReload });
  const openAll = openerOf(create, signal);
  let current = await openAll(configuration.current.modes, []);
  reloads.inUse(configuration.current.hash);
  const union = replaceableAuthorizers(authorizersOf(current));
  configuration.onChange(async ({ modes, hash }) => {
    const next = await openAll(modes, current);
    union.replace(authorizersOf(next));
    for (const one of current) if (!next.includes(one)) one.close();
    current = next;
    reloads.inUse(hash);
  });
  configuration.watch();
  signal.addEventListener('abort', () => configuration.close(), { once: true });
  return union;
}

function authorizersOf(modes: readonly OpenMode[]): readonly Authorizer[] {
  return modes.map(({ authorizer }) => authorizer);
}

/** Throws if two lists have other modes than webhooks that differ; their order may. */
function requireSameModes(before: readonly ConfiguredMode[], after: readonly ConfiguredMode[]): void {
  const [had, has] = [before, after].map((modes) => modes.filter((mode) => typeof mode === 'string').toSorted());
  if (!isDeepStrictEqual(had, has))
    throw new Error('only webhooks may be added or removed while the server runs; restart it to change other modes');
}

/** Returns a function that opens modes, and takes those that are open already. */
function openerOf(create: ReloadedAuthorizersOptions['create'], stopping: AbortSignal) {
  const open = async (mode: ConfiguredMode): Promise<OpenMode> => {
    const closing = new AbortController();
    const { signal, release } = linkSignals(stopping, closing.signal);
    try {
      const close = (): void => void setTimeout(() => closing.abort(), closingMs).unref();
      return { mode, authorizer: await create(mode, signal), close };
    } catch (error) {
      release();
      throw error;
    }
  };
  return async (modes: readonly ConfiguredMode[], known: readonly OpenMode[]): Promise<readonly OpenMode[]> => {
    const opened = await Promise.allSettled(
      modes.map(async (mode) => known.find((one) => isDeepStrictEqual(one.mode, mode)) ?? (await open(mode))),
    );
    const failed = opened.find((one) => one.status === 'rejected');
    const all = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (!failed) return all;
    for (const one of all) if (!known.includes(one)) one.close();
    throw failed.reason;
  };
}
