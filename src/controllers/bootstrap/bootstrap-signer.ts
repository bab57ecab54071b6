import { builtInResources } from '../../client/built-in-resources.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type BootstrapSecret, bootstrapSelection, expiresInMs, secrets, signingToken } from './bootstrap-secrets.ts';
import { lazyModule } from '../../package/lazy-module.ts';

/** Signs the ConfigMap `cluster-info` with each bootstrap token that is for signing (spec 5.9). */
export const bootstrapSigner: ControllerDefinition = {
  name: 'bootstrap-signer-controller',
  alias: 'bootstrapsigner',
  account: 'bootstrap-signer',
  onByDefault: false,
  run,
};

async function run(
  { client, informers, identifiers, controller }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const name = 'cluster-info';
  const namespace = `${identifiers.prefix}public`;
  const { clientConfig: payloadKey, clusterInfoKey } = identifiers;
  const signaturePrefix = `jws-${payloadKey}-`;
  const selection = bootstrapSelection(identifiers);
  const tokens = informers.informer(secrets, selection);
  const { configmaps } = builtInResources(identifiers.set);
  const resource = client.resource(configmaps);

  await controller({
    name: 'bootstrapsigner',
    for: configmaps,
    select: { namespace, fieldSelector: `metadata.name=${name}` },
    watches: [watched<BootstrapSecret>(secrets, () => [{ name, namespace }], selection)],
    async reconcile({ object }) {
      const { [payloadKey]: payload, ...others } = object?.data ?? {};
      if (!object || payload === undefined) return undefined;
      const nowMs = Date.now();
      const signatures = await sign(payload, tokens.list(), nowMs);
      const kept = Object.entries(others).filter(([key]) => !key.startsWith(signaturePrefix));
      const data = { [payloadKey]: payload, ...Object.fromEntries(kept), ...signatures };
      if (!isSame(data, object.data ?? {})) await resource.update({ ...object, data }, { signal });
      const waits = tokens.list().flatMap((secret) => expiresInMs(secret, nowMs) ?? []);
      const ahead = waits.filter((ms) => ms > 0);
      return ahead.length > 0 ? { requeueAfterMs: Math.min(...ahead) } : undefined;
    },
  }).run(signal);

  async function sign(payload: string, found: readonly BootstrapSecret[], nowMs: number) {
    const { signDetached } = await loadSigner();
    const valid = found.flatMap((secret) => signingToken(secret, nowMs) ?? []);
    const entries = valid.map(async (token) => [
      `${signaturePrefix}${token.id}`,
      await signDetached(payload, token, clusterInfoKey),
    ]);
    return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
  }
}

const loadSigner = lazyModule(() => import('./sign-detached.ts'));

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}
