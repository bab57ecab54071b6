import { isSince } from '../../../scheme/api-release.ts';

/** Changes the rules of a role to those of an earlier release. */
type EarlierRules = (rules: readonly string[]) => readonly string[];

const without =
  (...gone: readonly string[]): EarlierRules =>
  (rules) =>
    rules.filter((rule) => !gone.includes(rule));

const respelled =
  (text: string, earlier: string): EarlierRules =>
  (rules) =>
    rules.map((rule) => rule.replace(text, earlier));

/**
 * The changes of default ClusterRoles between the releases, the latest first: the release that
 * brought a change, and the way back. Those of 1.21 are known to be absent in 1.20.
 */
const changes: readonly (readonly [role: string, since: string, earlier: EarlierRules])[] = [
  // Writers of Endpoints could lead a load balancer to other namespaces (CVE-2021-25740).
  ['system:aggregate-to-edit', '1.22', respelled('configmaps,events,', 'configmaps,endpoints,')],
  ['system:aggregate-to-view', '1.22', without('read discovery endpointslices')],
  ['system:{prefix}scheduler', '1.22', without('read core namespaces')],
  ['system:{prefix}scheduler', '1.21', without('read storage csidrivers', 'read storage csistoragecapacities')],
  ['system:controller:horizontal-pod-autoscaler', '1.21', without('get,list external.metrics *')],
  [
    'system:controller:job-controller',
    '1.21',
    respelled('list,patch,update,watch batch jobs', 'list,update,watch batch jobs'),
  ],
];

/** The first releases with some roles and the bindings of the same name. */
const introduced: Readonly<Record<string, string>> = {
  'system:controller:ephemeral-volume-controller': '1.21',
  'system:controller:ttl-after-finished-controller': '1.21',
  'system:controller:root-ca-cert-publisher': '1.20',
  'system:monitoring': '1.20',
  'system:service-account-issuer-discovery': '1.20',
  'system:controller:endpointslicemirroring-controller': '1.19',
  'system:certificates.{api}:legacy-unknown-approver': '1.18',
  'system:certificates.{api}:{nodeAgent}-serving-approver': '1.18',
  'system:certificates.{api}:{prefix}apiserver-client-approver': '1.18',
  'system:certificates.{api}:{prefix}apiserver-client-{nodeAgent}-approver': '1.18',
};

/** True if a release has a default ClusterRole, by its name with placeholders. */
export function isRoleIn(release: string, name: string): boolean {
  const since = introduced[name];
  return since === undefined || isSince(release, since);
}

/** The rules of a default ClusterRole in a release, made from those of 1.23. */
export function rulesIn(release: string, name: string, rules: readonly string[]): readonly string[] {
  return changes
    .filter(([role, since]) => role === name && !isSince(release, since))
    .reduce((kept, [, , earlier]) => earlier(kept), rules);
}
