import type { createChain } from '../../../src/admission/chain/create-chain.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { defaultRelease } from '../../../src/scheme/api-release.ts';
import { listerOf } from './attributes.ts';

/** What plugins are given by a server that allows everything and has no objects. */
export const chainDependencies: Parameters<typeof createChain>[0] = {
  identifiers: identifiersOf('kubernetes'),
  listerOf: listerOf(''),
  resolveService: () => Promise.reject(new Error('no services')),
  log: { warn: () => {} },
  signal: new AbortController().signal,
  decide: () => Promise.resolve({ isAllowed: true, reason: '' }),
  decideCheck: () => ({ allowed: true, reason: '', error: '' }),
  findParams: () => undefined,
  staticObjects: () => undefined,
  findResource: () => undefined,
  createNamespace: () => Promise.resolve(),
  writeQuotaStatus: ({ quota }) => Promise.resolve(quota),
  tolerationSeconds: { notReady: 300, unreachable: 300 },
  listPods: () => Promise.resolve([]),
  reviewImages: () => Promise.resolve({}),
  emulated: { release: defaultRelease, forwardCompatible: false, isFeatureEnabled: () => true },
  get metrics() {
    return new MetricsRegistry();
  },
};
