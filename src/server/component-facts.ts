import type { ComponentFacts } from '../api/debug/component-pages.ts';
import { type AggregatedVersion, aggregatedVersions } from '../api/discovery/aggregated-discovery.ts';
import { featuresOf } from '../config/feature-gates.ts';
import { flagValues } from '../config/flag-values.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { versionInfo } from '../config/version-info.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { isSince } from '../scheme/api-release.ts';

/** The releases that added versions of the structured form. */
const structuredSince: readonly (readonly [release: string, version: string])[] = [
  ['1.35', 'v1alpha1'],
  ['1.36', 'v1beta1'],
];

/** The content of `/statusz` and `/flagz`; undefined if the release does not have them. */
export function componentFactsOf(options: ServerOptions, identifiers: Identifiers): ComponentFacts | undefined {
  const features = featuresOf(options);
  const hasStatus = features.isEnabled('ComponentStatusz');
  const hasFlags = features.isEnabled('ComponentFlagz');
  if (!hasStatus && !hasFlags) return undefined;
  const { emulatedRelease } = options;
  const { gitVersion, goVersion } = versionInfo(emulatedRelease);
  return {
    identifiers,
    startedMs: Date.now() - process.uptime() * 1000,
    name: isSince(emulatedRelease, '1.34') ? 'apiserver' : `${identifiers.prefix}apiserver`,
    binaryVersion: gitVersion.replace(/^v/, ''),
    emulationVersion: emulatedRelease,
    goVersion,
    paths: [...(hasFlags ? ['/flagz'] : []), '/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version'],
    ...(hasFlags ? { flags: flagValues(options) } : {}),
    hasStatus,
    versions: structuredSince.flatMap(([release, version]) => (isSince(emulatedRelease, release) ? [version] : [])),
  };
}

/** The versions of aggregated discovery; since 1.33 the beta version is removed. */
export function aggregatedVersionsOf(options: ServerOptions): readonly AggregatedVersion[] {
  const isGone = featuresOf(options).isEnabled('AggregatedDiscoveryRemoveBetaType');
  return isGone ? aggregatedVersions.filter((version) => version === 'v2') : aggregatedVersions;
}
