import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeRule } from '../../../src/authz/rbac/describe-rule.ts';
import { readRules } from '../../../src/authz/rbac/policy-rule.ts';
import { identifierSets, identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { featuresOf } from '../../../src/config/feature-gates.ts';
import { type ApiRelease, apiReleases, isSince } from '../../../src/scheme/api-release.ts';
import { labelsOf, nameOf } from '../../../src/meta/object-meta.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { packageRoot } from '../../../src/package/package-root.ts';
import {
  type DefaultObject,
  defaultObjects,
} from '../../../src/resources/rbac.authorization/defaults/default-objects.ts';

/** An object as lines of text: its name, labels and role, then a line for each rule and subject. */
function describeObject({ resource, namespace, object }: DefaultObject): string {
  const labels = Object.keys(labelsOf(object)).filter((label) => !label.endsWith('/bootstrapping'));
  const roleRef = objectAt(object, 'roleRef');
  const head = [resource, namespace, nameOf(object), ...labels, stringAt(roleRef, 'kind'), stringAt(roleRef, 'name')];
  const subjects = objectsAt(object, 'subjects').map((subject) =>
    ['kind', 'namespace', 'name'].map((field) => stringAt(subject, field)).filter(Boolean),
  );
  return [
    head.filter(Boolean).join(' '),
    ...readRules(object).map(describeRule),
    ...subjects.map((one) => one.join(' ')),
  ]
    .join('\n  ')
    .concat('\n');
}

/** The rules and subjects of a release, each with its role or binding. */
function linesOf(release: ApiRelease, featureGates: readonly string[]): ReadonlySet<string> {
  const { isEnabled } = featuresOf({ emulatedRelease: release, featureGates, emulationForwardCompatible: false });
  const served = { selfReviews: true, release, isFeatureEnabled: isEnabled };
  const objects = defaultObjects(identifiersOf('kubernetes'), served).filter(
    ({ object }) => object['aggregationRule'] === undefined,
  );
  return new Set(
    objects.flatMap((one) => {
      const [head = '', ...lines] = describeObject(one).trimEnd().split('\n');
      return lines.map((line) => `${head}: ${line.trim()}`);
    }),
  );
}

/** The rules and subjects that each release after 1.23 takes from the one before, and adds. */
function changesOf(featureGates: readonly string[]): readonly string[] {
  return apiReleases.flatMap((release, index) => {
    const last = apiReleases[index - 1];
    if (last === undefined || !isSince(release, '1.24')) return [];
    const [before, now] = [linesOf(last, featureGates), linesOf(release, featureGates)];
    return [
      `# ${[release, ...featureGates].join(' ')}`,
      ...[...before].filter((line) => !now.has(line)).map((line) => `- ${line}`),
      ...[...now].filter((line) => !before.has(line)).map((line) => `+ ${line}`),
    ];
  });
}

describe('the default roles and bindings', () => {
  const rulesOf = (release: string, name: string): readonly string[] => {
    const all = defaultObjects(identifiersOf('kubernetes'), {
      selfReviews: false,
      release,
      isFeatureEnabled: () => false,
    });
    const role = all.find(({ resource, object }) => resource === 'clusterroles' && nameOf(object) === name);
    return role ? readRules(role.object).map(describeRule) : ['none'];
  };

  it('follow the release: endpoints are for editors until 1.21, events from 1.22 on', () => {
    for (const name of ['edit', 'admin', 'system:aggregate-to-edit']) {
      const writes = (release: string, resource: string): boolean =>
        rulesOf(release, name).some((rule) => rule.includes('deletecollection') && rule.includes(`"${resource}"`));
      for (const release of ['1.15', '1.20', '1.21']) {
        assert.deepEqual([writes(release, 'endpoints'), writes(release, 'events')], [true, false], release);
      }
      for (const release of ['1.22', '1.26']) {
        assert.deepEqual([writes(release, 'endpoints'), writes(release, 'events')], [false, true], release);
      }
    }
  });

  it('of 1.20 lack what later releases added, and those before lack more', () => {
    const has = (release: string, name: string, text: string): boolean =>
      rulesOf(release, name).some((rule) => rule.includes(text));
    for (const [name, text, since] of [
      ['view', 'endpointslices', '1.22'],
      ['system:kube-scheduler', '"namespaces"', '1.22'],
      ['system:kube-scheduler', 'csistoragecapacities', '1.21'],
      ['system:controller:job-controller', '"patch"', '1.21'],
      ['system:controller:horizontal-pod-autoscaler', 'external.metrics', '1.21'],
      ['system:controller:ttl-after-finished-controller', '"jobs"', '1.21'],
      ['system:controller:ephemeral-volume-controller', '"pods"', '1.21'],
      ['system:monitoring', '/metrics', '1.20'],
      ['system:certificates.k8s.io:legacy-unknown-approver', 'signers', '1.18'],
    ] as const) {
      const before = `1.${Number(since.slice(2)) - 1}`;
      const inJobs = name.endsWith('job-controller');
      const found = (release: string): boolean =>
        inJobs
          ? rulesOf(release, name).some((rule) => rule.includes(text) && rule.includes('"jobs"'))
          : has(release, name, text);
      assert.deepEqual([found(before), found(since)], [false, true], `${name} ${text}`);
    }
  });

  it('change from release to release as in kube-apiserver, by default and with all features', () => {
    const file = path.join(packageRoot(), 'test/golden/default-roles-by-release.txt');
    const text = [[], ['AllAlpha=true', 'AllBeta=true']]
      .flatMap((gates) => changesOf(gates))
      .join('\n')
      .concat('\n');
    if (process.env['UPDATE_GOLDEN']) writeFileSync(file, text);
    assert.equal(text, readFileSync(file, 'utf8'));
  });

  for (const set of identifierSets) {
    it(`are those of release 1.23 (${set})`, () => {
      const file = path.join(packageRoot(), `test/golden/default-roles.${set}.txt`);
      const text = defaultObjects(identifiersOf(set), {
        selfReviews: true,
        release: '1.23',
        isFeatureEnabled: () => false,
      })
        .map(describeObject)
        .join('');
      if (process.env['UPDATE_GOLDEN']) writeFileSync(file, text);
      assert.equal(text, readFileSync(file, 'utf8'));
    });
  }
});
