/** The Kubernetes releases whose API a server can serve, the oldest first. */
export const apiReleases = [
  '1.15',
  '1.16',
  '1.17',
  '1.18',
  '1.19',
  '1.20',
  '1.21',
  '1.22',
  '1.23',
  '1.24',
  '1.25',
  '1.26',
  '1.27',
  '1.28',
  '1.29',
  '1.30',
  '1.31',
  '1.32',
  '1.33',
  '1.34',
  '1.35',
  '1.36',
] as const;

/** A release whose API a server can serve. Clients derive supported features from it. */
export type ApiRelease = (typeof apiReleases)[number];

/** The last release whose API a server can serve. */
export const newestRelease: ApiRelease = apiReleases[apiReleases.length - 1] ?? apiReleases[0];

/** The release that a server serves by default. */
export const defaultRelease: ApiRelease = '1.23';

/** True if `release` is `since` or later. Both are texts such as `1.19`, of any release. */
export function isSince(release: string, since: string): boolean {
  return minorOf(release) >= minorOf(since);
}

/** The minor number of a release; the major number is 1 in all releases. */
export function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}
