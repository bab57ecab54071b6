import { apiRelease } from './api-release.ts';

/** When a version of a resource went out of favour and out of service, and what takes its place. */
interface Deprecation {
  readonly since: string;
  readonly removed?: string;
  readonly replacement?: { readonly shortGroup: string; readonly version: string };
}

const olderThan = (shortGroup: string, since: string, version = 'v1', removed = '1.22'): Deprecation => ({
  since,
  removed,
  replacement: { shortGroup, version },
});

/**
 * By group and version, and by resource where those of a group differ. Releases are those that users of the API know; whatever is
 * newer than the release that this server speaks for is not deprecated yet.
 */
const deprecations: ReadonlyMap<string, Deprecation> = new Map<string, Deprecation>([
  ['/v1/componentstatuses', { since: '1.19' }],
  ['admissionregistration/v1beta1', olderThan('admissionregistration', '1.16')],
  ['apiextensions/v1beta1', olderThan('apiextensions', '1.16')],
  ['apiregistration/v1beta1', olderThan('apiregistration', '1.19')],
  ['authentication/v1beta1', olderThan('authentication', '1.19')],
  ['authorization/v1beta1', olderThan('authorization', '1.19')],
  ['autoscaling/v2beta1', olderThan('autoscaling', '1.22', 'v2', '1.25')],
  ['autoscaling/v2beta2', olderThan('autoscaling', '1.23', 'v2', '1.26')],
  ['batch/v1beta1', olderThan('batch', '1.21', 'v1', '1.25')],
  ['certificates/v1beta1', olderThan('certificates', '1.19')],
  ['coordination/v1beta1', olderThan('coordination', '1.19')],
  ['discovery/v1beta1', olderThan('discovery', '1.21', 'v1', '1.25')],
  ['events/v1beta1', olderThan('events', '1.22', 'v1', '1.25')],
  ['extensions/v1beta1', olderThan('networking', '1.14')],
  ['flowcontrol/v1beta1', olderThan('flowcontrol', '1.23', 'v1beta2', '1.26')],
  ['networking/v1beta1', olderThan('networking', '1.19')],
  ['node/v1beta1', { since: '1.22', removed: '1.25' }],
  ['policy/v1beta1/poddisruptionbudgets', olderThan('policy', '1.21', 'v1', '1.25')],
  ['policy/v1beta1/podsecuritypolicies', { since: '1.21', removed: '1.25' }],
  ['rbac.authorization/v1beta1', olderThan('rbac.authorization', '1.17')],
  ['scheduling/v1beta1', olderThan('scheduling', '1.14')],
  ['storage/v1beta1', olderThan('storage', '1.19')],
  ['storage/v1beta1/csinodes', olderThan('storage', '1.17')],
  // Newer than what replaces it.
  ['storage/v1beta1/csistoragecapacities', { since: '1.24' }],
]);

interface Endpoint {
  readonly shortGroup: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
}

/** What clients of a version are warned of (spec 6.3); undefined where it is in favour. `nameOf` completes the name of a group. */
export function deprecationWarning(
  { shortGroup, version, resource, kind }: Endpoint,
  nameOf: (shortGroup: string) => string,
): string | undefined {
  const at = `${shortGroup}/${version}`;
  const found = deprecations.get(`${at}/${resource}`) ?? deprecations.get(at);
  if (!found || Number(found.since.split('.')[1]) > Number(apiRelease.minor)) return undefined;
  const apiVersion = (group: string, of: string): string => (group === '' ? of : `${nameOf(group)}/${of}`);
  const { since, removed, replacement } = found;
  return [
    `${apiVersion(shortGroup, version)} ${kind} is deprecated in v${since}+`,
    removed ? `, unavailable in v${removed}+` : '',
    replacement ? `; use ${apiVersion(replacement.shortGroup, replacement.version)} ${kind}` : '',
  ].join('');
}
