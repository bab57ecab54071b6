import type { Volume, VolumeProjection } from '../../gen/types/core-v1.ts';

/** A path in a volume, with the source of its file. */
interface SourcePath {
  readonly path: string;
  readonly source: string;
}

/** The warnings about paths of a volume that are equal, or of which one contains another. */
export function volumePathWarnings(volumes: readonly Volume[]): readonly string[] {
  return volumes.flatMap(({ name, configMap, secret, downwardAPI, projected }) => [
    ...itemWarnings(name, `ConfigMap ${quoted(configMap?.name)}`, configMap?.items),
    ...itemWarnings(name, `Secret ${quoted(secret?.secretName)}`, secret?.items),
    ...itemWarnings(name, 'DownwardAPI', downwardAPI?.items),
    ...projectionWarnings(name, projected?.sources ?? []),
  ]);
}

function itemWarnings(
  volume: string,
  kind: string,
  items: readonly { readonly path: string }[] = [],
): readonly string[] {
  const paths = items.map(({ path }) => ({ path, source: '' }));
  return overlapsIn(paths).map((found) => `volume ${quoted(volume)} (${kind}): overlapping paths: ${found}`);
}

function projectionWarnings(volume: string, sources: readonly VolumeProjection[]): readonly string[] {
  const head = `volume ${quoted(volume)} (Projected)`;
  const empty = sources.filter((source) => Object.values(source).every((value) => value === undefined));
  const paths = sources.flatMap(pathsOf);
  return [
    ...empty.map(() => `${head} has no sources provided`),
    ...overlapsIn(paths).map((found) => `${head}: overlapping paths: ${found}`),
  ];
}

function pathsOf(source: VolumeProjection): readonly SourcePath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  const bundle = clusterTrustBundle?.name ?? clusterTrustBundle?.signerName;
  const found: readonly (readonly [path: string | undefined, source: string])[] = [
    ...(configMap?.items ?? []).map(({ path }) => [path, `ConfigMap ${quoted(configMap?.name)}`] as const),
    ...(secret?.items ?? []).map(({ path }) => [path, `Secret ${quoted(secret?.name)}`] as const),
    ...(downwardAPI?.items ?? []).map(({ path }) => [path, 'DownwardAPI'] as const),
    [serviceAccountToken?.path, 'ServiceAccountToken'],
    [clusterTrustBundle?.path, `ClusterTrustBundle ${quoted(bundle)}`],
    [podCertificate?.certificateChainPath, 'PodCertificate chain'],
    [podCertificate?.keyPath, 'PodCertificate key'],
    [podCertificate?.credentialBundlePath, 'PodCertificate credential bundle'],
  ];
  return found.flatMap(([path, from]) => (path === undefined || path === '' ? [] : [{ path, source: from }]));
}

function overlapsIn(paths: readonly SourcePath[]): readonly string[] {
  const seen: SourcePath[] = [];
  return paths.flatMap(({ path, source }) => {
    const next = { path: path.replace(/\/+$/, ''), source };
    const others = seen.filter((one) => next.path !== '' && one.path !== '' && overlap(one.path, next.path));
    seen.push(next);
    return others.map((other) => `${shown(next)} with ${shown(other)}`);
  });
}

function overlap(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

const shown = ({ path, source }: SourcePath): string => `${quoted(path)}${source === '' ? '' : ` (${source})`}`;

const quoted = (text = ''): string => JSON.stringify(text);
