import assert from 'node:assert/strict';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../../../src/admission/admission.ts';
import { jobValidation } from '../../../src/admission/plugins/pod-groups/job-validation.ts';
import { nodeDeclaredFeatureValidator } from '../../../src/admission/plugins/pod-updates/node-declared-feature-validator.ts';
import { nodeRestriction } from '../../../src/admission/plugins/node-restriction/node-restriction.ts';
import { podGroupProtection } from '../../../src/admission/plugins/pod-groups/pod-group-protection.ts';
import { podGroupWorkloadExists } from '../../../src/admission/plugins/pod-groups/pod-group-workload-exists.ts';
import { podResizeValidator } from '../../../src/admission/plugins/pod-updates/pod-resize-validator.ts';
import { priority } from '../../../src/admission/plugins/priority.ts';
import { storageObjectInUseProtection } from '../../../src/admission/plugins/storage-object-in-use-protection.ts';
import { createChain } from '../../../src/admission/chain/create-chain.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { ApiRelease } from '../../../src/scheme/api-release.ts';
import { finalizersOf } from '../../../src/meta/object-meta.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { admit, assertForbidden, identifiers, listerOf, writeOf } from './attributes.ts';
import { chainDependencies } from './chain-dependencies.ts';
import { pluginContext } from './plugin-context.ts';

const emulated = (release: ApiRelease, ...gates: readonly string[]) => ({
  release,
  forwardCompatible: false,
  isFeatureEnabled: (gate: string) => gates.includes(gate),
});

/** A plugin that knows these objects of one resource, in release 1.36. */
function pluginWith(
  create: (context: PluginContext) => AdmissionPlugin,
  resource: string,
  objects: readonly JsonObject[],
  ...gates: readonly string[]
): AdmissionPlugin {
  return create(
    pluginContext({ identifiers, listerOf: listerOf(resource, ...objects), emulated: emulated('1.36', ...gates) }),
  );
}

/** Asserts that a plugin refuses a write with this reason, or admits it if the reason is ''. */
async function assertDecision(plugin: AdmissionPlugin, write: AdmissionAttributes, why: string): Promise<void> {
  if (why === '') await admit(plugin, write);
  else await assertForbidden(plugin, write, why);
}

describe('finalizers of protected objects', () => {
  const rows = [
    [podGroupProtection, 'podgroups.scheduling.k8s.io', 'scheduling.k8s.io/podgroup-protection'],
    [storageObjectInUseProtection, 'volumeattributesclasses.storage.k8s.io', 'kubernetes.io/vac-protection'],
  ] as const;
  for (const [create, resource, finalizer] of rows) {
    it(`gives new ${resource} ${finalizer}, once`, async () => {
      const plugin = create(pluginContext({ identifiers, emulated: emulated('1.36', 'VolumeAttributesClass') }));
      const object = { metadata: { name: 'o' } };
      await admit(plugin, writeOf(resource, object));
      await admit(plugin, writeOf(resource, object));
      assert.deepEqual(finalizersOf(object), [finalizer]);
    });
  }

  it('gives classes of volume attributes none before release 1.32', async () => {
    const plugin = storageObjectInUseProtection(
      pluginContext({ identifiers, emulated: emulated('1.31', 'VolumeAttributesClass') }),
    );
    const object = { metadata: { name: 'o' } };
    await admit(plugin, writeOf('volumeattributesclasses.storage.k8s.io', object));
    assert.deepEqual(finalizersOf(object), []);
  });
});

describe('PodGroupWorkloadExists', () => {
  const workload = (name: string, metadata: JsonObject = {}) => ({
    metadata: { name, ...metadata },
    spec: { podGroupTemplates: [{ name: 'workers' }] },
  });
  const plugin = pluginWith(podGroupWorkloadExists, 'workloads.scheduling.k8s.io', [
    workload('live'),
    workload('gone', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  ]);
  const refused = 'podgroups.scheduling.k8s.io "g" is forbidden: PodGroup rejected: ';
  for (const [workloadName, podGroupTemplateName, why] of [
    ['live', 'workers', ''],
    ['live', 'other', `${refused}PodGroupTemplate "other" not found in Workload "live"`],
    ['gone', 'workers', `${refused}Workload "gone" is being deleted`],
    ['none', 'workers', `${refused}Workload "none" not found`],
  ] as const) {
    it(`${why === '' ? 'admits' : 'refuses'} a group of ${workloadName}/${podGroupTemplateName}`, () => {
      const spec = { podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } } };
      return assertDecision(plugin, writeOf('podgroups.scheduling.k8s.io', { metadata: { name: 'g' }, spec }), why);
    });
  }
});

describe('JobValidation', () => {
  const group = (name: string, schedulingPolicy: JsonObject, uid: string) => ({
    metadata: { name, ownerReferences: [{ uid, controller: true }] },
    spec: { schedulingPolicy },
  });
  const plugin = pluginWith(jobValidation, 'podgroups.scheduling.k8s.io', [
    group('gang', { gang: { minCount: 2 } }, 'owner'),
    group('loose', { basic: {} }, 'loose-owner'),
  ]);
  const job = (parallelism: number, uid: string, podGroupName?: string): JsonObject => ({
    metadata: { name: 'j', uid },
    spec: { parallelism, template: { spec: podGroupName ? { schedulingGroup: { podGroupName } } : {} } },
  });
  const why =
    'jobs.batch "j" is forbidden: cannot change parallelism for a Job referencing gang-scheduled PodGroup "gang"';
  for (const [title, uid, name, to, reason] of [
    ['of a gang that its pods name', 'x', 'gang', 3, why],
    ['of a gang that it owns', 'owner', undefined, 3, why],
    ['of a gang, unchanged', 'owner', undefined, 2, ''],
    ['of a group without a gang', 'loose-owner', undefined, 3, ''],
    ['without a group', 'x', undefined, 3, ''],
  ] as const) {
    it(`${reason === '' ? 'admits' : 'refuses'} the parallelism of a Job ${title}`, () =>
      assertDecision(plugin, writeOf('jobs.batch', job(to, uid, name), { oldObject: job(2, uid, name) }), reason));
  }
});

describe('pods on nodes', () => {
  const pod = (generation: number, cpu: string, nodeName: string, spec: JsonObject = {}): JsonObject => ({
    metadata: { name: 'p', generation },
    spec: { nodeName, containers: [{ name: 'c', resources: { requests: { cpu } } }], ...spec },
  });
  const node = (name: string, labels: JsonObject, status: JsonObject = {}): JsonObject => ({
    metadata: { name, labels },
    status,
  });
  const nodes = [
    node(
      'n',
      {},
      { allocatable: { cpu: '2', memory: '1Gi' }, declaredFeatures: ['InPlacePodVerticalScalingInitContainers'] },
    ),
    node('w', { 'kubernetes.io/os': 'windows' }),
  ];
  const write = (object: JsonObject, oldObject: JsonObject) =>
    writeOf('pods', object, { oldObject, subresource: 'resize' });

  it('refuses a resize that the node of a pod can never carry out', async () => {
    const plugin = pluginWith(podResizeValidator, 'nodes.', nodes);
    const refused = 'pods "p" is forbidden: ';
    for (const [cpu, name, why] of [
      ['2', 'n', ''],
      [
        '2500m',
        'n',
        `${refused}node didn't have enough allocatable resources: cpu, requested: 2500, allocatable: 2000`,
      ],
      ['1', 'w', `${refused}pod resize is only supported on linux nodes, node "w" is "windows"`],
      ['1', 'x', `${refused}node "x" not found`],
      ['9', '', ''],
    ] as const) {
      await assertDecision(plugin, write(pod(2, cpu, name), pod(1, '1', name)), why);
      await admit(plugin, write(pod(1, cpu, name), pod(1, '1', name)));
    }
  });

  it('refuses a resize that needs a feature which the node does not report', async () => {
    const plugin = pluginWith(nodeDeclaredFeatureValidator, 'nodes.', nodes);
    const init = (cpu: string) => ({ initContainers: [{ name: 'i', resources: { requests: { cpu } } }] });
    const whole = (cpu: string) => ({ resources: { requests: { cpu } } });
    await admit(plugin, write(pod(2, '1', 'n', init('2')), pod(1, '1', 'n', init('1'))));
    await assertForbidden(
      plugin,
      write(pod(2, '1', 'n', whole('2')), pod(1, '1', 'n', whole('1'))),
      'pods "p" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling ' +
        'which are not available on node "n"',
    );
  });
});

describe('Priority of PodGroups', () => {
  const classes = [{ metadata: { name: 'high' }, value: 7 }];
  const write = (spec: JsonObject) => writeOf('podgroups.scheduling.k8s.io', { metadata: { name: 'g' }, spec });

  it('is the priority of their class, if preemption knows groups', async () => {
    const resource = 'priorityclasses.scheduling.k8s.io';
    const plugin = pluginWith(priority, resource, classes, 'WorkloadAwarePreemption');
    const group = await admit(plugin, write({ priorityClassName: 'high' }));
    assert.deepEqual(objectAt(group, 'spec'), { priorityClassName: 'high', priority: 7 });
    await assertForbidden(
      plugin,
      write({ priority: 3 }),
      'podgroups.scheduling.k8s.io "g" is forbidden: priority set in the pod group (3) must match the priority ' +
        'computed (0) based on the priority class set in the spec',
    );
    const without = await admit(pluginWith(priority, resource, classes), write({ priorityClassName: 'high' }));
    assert.deepEqual(objectAt(without, 'spec'), { priorityClassName: 'high' });
  });
});

describe('NodeRestriction for certificates of node agents', () => {
  it('refuses what is no request, from release 1.31 on, unless a gate allows it', async () => {
    const user = { username: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
    const spec = { signerName: 'kubernetes.io/kubelet-serving', request: 'bm8=' };
    const write = () =>
      writeOf('certificatesigningrequests.certificates.k8s.io', { metadata: { name: 'r' }, spec }, { user });
    const pluginOf = (release: ApiRelease, ...gates: string[]) =>
      nodeRestriction(pluginContext({ identifiers, listerOf: listerOf(''), emulated: emulated(release, ...gates) }));
    await assertForbidden(
      pluginOf('1.31'),
      write(),
      'certificatesigningrequests.certificates.k8s.io "r" is forbidden: ' +
        'unable to parse csr: PEM block type must be CERTIFICATE REQUEST',
    );
    await admit(pluginOf('1.31', 'AllowInsecureKubeletCertificateSigningRequests'), write());
    await admit(pluginOf('1.30'), write());
  });
});

describe('default plugins of newer releases', () => {
  const newer = new Set(['NodeDeclaredFeatureValidator', 'PodGroupProtection', 'PodResizeValidator']);
  const namesIn = (release: '1.34' | '1.35' | '1.36') =>
    createChain(
      { ...chainDependencies, emulated: { release, forwardCompatible: false, isFeatureEnabled: () => true } },
      { enabled: [], disabled: [] },
    )
      .map(({ name }) => name)
      .filter((name) => newer.has(name));

  it('run from their first release on, whatever the gates', () => {
    assert.deepEqual(namesIn('1.34'), []);
    assert.deepEqual(namesIn('1.35'), ['NodeDeclaredFeatureValidator']);
    assert.deepEqual(namesIn('1.36'), ['PodGroupProtection', 'NodeDeclaredFeatureValidator', 'PodResizeValidator']);
  });
});
