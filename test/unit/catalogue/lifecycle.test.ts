import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { Catalogue } from '../../../src/registry/definition/catalogue.ts';
import { builtInCatalogue, builtInDefinitions } from '../../../src/catalogue/definitions.ts';
import { parseRuntimeConfig } from '../../../src/catalogue/runtime-config.ts';
import { everyVersion } from '../../../src/catalogue/served-definitions.ts';
import { type ApiRelease, apiReleases } from '../../../src/scheme/api-release.ts';

/** A row of spec 9.3: the release that removes a version of kinds, and the version that replaces it. */
interface RemovedVersion {
  readonly removed: ApiRelease;
  readonly version: string;
  readonly kinds: readonly string[];
  /** The replacement and the release that introduces it; undefined: there is none. */
  readonly replacement: readonly [version: string, since: string] | undefined;
}

const webhooks = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];
const reviews = ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SubjectAccessReview'];
const roles = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];

const rows: readonly RemovedVersion[] = [
  row('1.26', 'flowcontrol.cl.io/v1beta1', ['FlowSchema', 'PriorityLevelConfiguration'], 'v1beta2', '1.23'),
  row('1.26', 'autoscaling/v2beta2', ['HorizontalPodAutoscaler'], 'v2', '1.23'),
  row('1.25', 'batch/v1beta1', ['CronJob'], 'v1', '1.21'),
  row('1.25', 'discovery.cl.io/v1beta1', ['EndpointSlice'], 'v1', '1.21'),
  row('1.25', 'events.cl.io/v1beta1', ['Event'], 'v1', '1.19'),
  row('1.25', 'autoscaling/v2beta1', ['HorizontalPodAutoscaler'], 'v2', '1.23'),
  row('1.25', 'policy/v1beta1', ['PodDisruptionBudget'], 'v1', '1.21'),
  { removed: '1.25', version: 'policy/v1beta1', kinds: ['PodSecurityPolicy'], replacement: undefined },
  row('1.25', 'node.cl.io/v1beta1', ['RuntimeClass'], 'v1', '1.20'),
  row('1.22', 'admissionregistration.cl.io/v1beta1', webhooks, 'v1', '1.16'),
  row('1.22', 'apiextensions.cl.io/v1beta1', ['CustomResourceDefinition'], 'v1', '1.16'),
  row('1.22', 'apiregistration.cl.io/v1beta1', ['APIService'], 'v1', '1.10'),
  row('1.22', 'authentication.cl.io/v1beta1', ['TokenReview'], 'v1', '1.6'),
  row('1.22', 'authorization.cl.io/v1beta1', reviews, 'v1', '1.6'),
  row('1.22', 'certificates.cl.io/v1beta1', ['CertificateSigningRequest'], 'v1', '1.19'),
  row('1.22', 'coordination.cl.io/v1beta1', ['Lease'], 'v1', '1.14'),
  row('1.22', 'extensions/v1beta1', ['Ingress'], 'networking.cl.io/v1', '1.19'),
  row('1.22', 'networking.cl.io/v1beta1', ['Ingress', 'IngressClass'], 'v1', '1.19'),
  row('1.22', 'rbac.authorization.cl.io/v1beta1', roles, 'v1', '1.8'),
  row('1.22', 'scheduling.cl.io/v1beta1', ['PriorityClass'], 'v1', '1.14'),
  row('1.22', 'storage.cl.io/v1beta1', ['CSIDriver'], 'v1', '1.19'),
  row('1.22', 'storage.cl.io/v1beta1', ['CSINode'], 'v1', '1.17'),
  row('1.22', 'storage.cl.io/v1beta1', ['StorageClass'], 'v1', '1.6'),
  row('1.22', 'storage.cl.io/v1beta1', ['VolumeAttachment'], 'v1', '1.13'),
  row('1.16', 'extensions/v1beta1', ['NetworkPolicy'], 'networking.cl.io/v1', '1.8'),
  row('1.16', 'extensions/v1beta1', ['DaemonSet', 'Deployment', 'ReplicaSet'], 'apps/v1', '1.9'),
  // No release has had a ReplicaSet in apps/v1beta1, which the row of the specification names too.
  row('1.16', 'apps/v1beta1', ['Deployment', 'StatefulSet'], 'v1', '1.9'),
  {
    removed: '1.16',
    version: 'extensions/v1beta1',
    kinds: ['PodSecurityPolicy'],
    // It is removed later; see above.
    replacement: undefined,
  },
  row('1.16', 'apps/v1beta2', ['DaemonSet', 'Deployment', 'StatefulSet', 'ReplicaSet'], 'v1', '1.9'),
];

/** A row; a replacement without a group is of the same group. */
function row(
  removed: ApiRelease,
  version: string,
  kinds: readonly string[],
  replacement: string,
  since: string,
): RemovedVersion {
  const [group = ''] = version.split('/');
  const name = replacement.includes('/') ? replacement : `${group}/${replacement}`;
  return { removed, version, kinds, replacement: [name, since] };
}

const identifiers = identifiersOf('cluster');
const catalogues = new Map(
  apiReleases.map((release) => {
    const surface = { ...everyVersion, release, forwardCompatible: false };
    return [release, builtInCatalogue(identifiers, surface).current] as const;
  }),
);

function served(catalogue: Catalogue, version: string, kind: string) {
  const [group = '', name = ''] = version.split('/');
  return catalogue.findKind(group, name, kind)?.version;
}

/** The minor number of the release that removes a version; Infinity if none does. */
function endOf(version: string, kind: string): number {
  const removals = [...catalogues.values()].flatMap((catalogue) => {
    const [group = '', name = ''] = version.split('/');
    return catalogue.findKind(group, name, kind)?.version.lifecycle?.removed ?? [];
  });
  return Math.min(...removals.map(minor));
}

/** The minor number of a release. */
const minor = (release: string) => Number(release.split('.')[1]);

describe('the versions of a release', () => {
  for (const { removed, version, kinds, replacement } of rows) {
    for (const kind of kinds) {
      it(`${version} ${kind} goes in ${removed}${replacement ? ` for ${replacement[0]}` : ''}`, () => {
        const seen: boolean[] = [];
        for (const [release, catalogue] of catalogues) {
          const found = served(catalogue, version, kind);
          if (found) seen.push(true);
          if (minor(release) >= minor(removed)) assert.equal(found, undefined, release);
          if (minor(release) === minor(removed) - 1) checkLastRelease(found, removed, replacement?.[0]);
          if (!replacement) continue;
          const [newer, since] = replacement;
          const isReleased = minor(release) >= minor(since) && minor(release) < endOf(newer, kind);
          assert.equal(served(catalogue, newer, kind) !== undefined, isReleased, release);
        }
        assert.ok(seen.length > 0, 'served before');
      });
    }
  }

  it('are deprecated in no release that removes them, and not before they are', () => {
    for (const [release, catalogue] of catalogues) {
      for (const { versions, kind } of catalogue.resources) {
        for (const { lifecycle = {}, warning, version } of versions) {
          const { deprecated } = lifecycle;
          const isDeprecated = deprecated !== undefined && minor(deprecated) <= minor(release);
          assert.equal(warning !== undefined, isDeprecated, `${release} ${kind} ${version}`);
        }
      }
    }
  });

  for (const [entry, isServed] of [
    ['api/ga=true', false],
    ['api/all=true', true],
    ['api/beta=true', true],
    ['authentication.cl.io/v1beta1=true', true],
    ['authentication.cl.io/v1beta1/selfsubjectreviews', true],
    ['authentication.cl.io/v1=false', false],
  ] as const) {
    it(`${isServed ? 'have' : 'lack'} a beta version that is off by default with ${entry}`, () => {
      const { config } = parseRuntimeConfig([entry], builtInDefinitions(identifiers));
      const surface = { ...everyVersion, release: '1.28', forwardCompatible: false, runtimeConfig: config } as const;
      const catalogue = builtInCatalogue(identifiers, surface).current;
      assert.equal(served(catalogue, 'authentication.cl.io/v1beta1', 'SelfSubjectReview') !== undefined, isServed);
      assert.ok(served(catalogue, 'flowcontrol.cl.io/v1beta2', 'FlowSchema'), 'older beta versions stay on');
    });
  }

  it('write objects in a version that is served, the same for all resources that share them', () => {
    for (const [release, catalogue] of catalogues) {
      const chosen = new Map<string, string>();
      for (const { storage, kind } of catalogue.resources) {
        if (!storage) continue;
        const { group, version } = storage.writtenAs ?? storage;
        assert.ok(catalogue.findKind(group, version, kind), `${release} ${kind}`);
        const key = `${storage.group}/${storage.resource}`;
        assert.equal(chosen.get(key) ?? `${group}/${version}`, `${group}/${version}`, `${release} ${key}`);
        chosen.set(key, `${group}/${version}`);
      }
    }
  });
});

function checkLastRelease(
  found: ReturnType<typeof served>,
  removed: ApiRelease,
  replacement: string | undefined,
): void {
  assert.ok(found, 'served in the last release before');
  assert.equal(found.removedRelease, removed);
  assert.match(found.warning ?? '', new RegExp(`, unavailable in v${removed}\\+`));
  // Like kube-apiserver, the warning of RuntimeClasses names no replacement.
  if (replacement && !found.warning?.startsWith('node')) assert.ok(found.warning?.includes(`; use ${replacement} `));
}
