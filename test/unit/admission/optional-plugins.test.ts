import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import { alwaysDeny } from '../../../src/admission/plugins/always-deny.ts';
import { alwaysPullImages } from '../../../src/admission/plugins/always-pull-images.ts';
import { denyServiceExternalIPs } from '../../../src/admission/plugins/deny-service-external-ips.ts';
import { extendedResourceToleration } from '../../../src/admission/plugins/extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from '../../../src/admission/plugins/limit-pod-hard-anti-affinity-topology.ts';
import { namespaceExists } from '../../../src/admission/plugins/namespace-exists.ts';
import { securityContextDeny } from '../../../src/admission/plugins/security-context-deny.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { admit, assertForbidden, identifiers, listerOf, writeOf } from './attributes.ts';
import { pluginContext } from './plugin-context.ts';

const pod = (spec: JsonObject): JsonObject => ({ metadata: { name: 'p', namespace: 'ns' }, spec });
const specOf = async (plugin: AdmissionPlugin, spec: JsonObject): Promise<JsonObject> =>
  objectAt(await admit(plugin, writeOf('pods', pod(spec))), 'spec');

/** Asserts that a plugin refuses Pods with a spec, and leaves their status and other kinds alone. */
async function assertPodRefused(plugin: AdmissionPlugin, spec: JsonObject, why: string): Promise<void> {
  const message = `pods "p" is forbidden: ${why}`;
  await assertForbidden(plugin, writeOf('pods', pod(spec)), message);
  await assertForbidden(plugin, writeOf('pods', pod(spec), { oldObject: pod({}) }), message);
  await admit(plugin, writeOf('pods', pod(spec), { oldObject: pod({}), subresource: 'status' }));
  await admit(plugin, writeOf('podtemplates', pod(spec)));
}

describe('AlwaysDeny', () => {
  it('refuses every operation', async () => {
    const why = 'admission control is denying all modifications';
    for (const operation of ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const) {
      const write = writeOf('pods', pod({}), { operation });
      await assertForbidden(alwaysDeny(), write, `pods "p" is forbidden: ${why}`);
    }
  });
});

describe('AlwaysPullImages', () => {
  const plugin = alwaysPullImages();
  const spec = (image: string, imagePullPolicy: string): JsonObject => ({
    initContainers: [{ name: 'i', image, imagePullPolicy }],
    containers: [{ name: 'c', image, imagePullPolicy }],
  });

  it('sets the pull policy of all containers', async () => {
    assert.deepEqual(await specOf(plugin, spec('a', 'Never')), spec('a', 'Always'));
  });

  it('changes an update only if it brings a new image', async () => {
    const oldObject = pod(spec('a', 'Never'));
    const same = await admit(plugin, writeOf('pods', pod(spec('a', 'Never')), { oldObject }));
    assert.deepEqual(same, pod(spec('a', 'Never')));
    const other = await admit(plugin, writeOf('pods', pod(spec('b', 'Never')), { oldObject }));
    assert.deepEqual(other, pod(spec('b', 'Always')));
  });

  it('refuses a policy that a later plugin has changed', () =>
    assertForbidden(
      { name: plugin.name, operations: plugin.operations, validate: (write) => plugin.validate?.(write) },
      writeOf('pods', pod({ containers: spec('a', 'IfNotPresent')['containers'] ?? [] })),
      'pods "p" is forbidden: spec.containers[0].imagePullPolicy: ' +
        'Unsupported value: "IfNotPresent": supported values: "Always"',
    ));
});

describe('DenyServiceExternalIPs', () => {
  const plugin = denyServiceExternalIPs();
  const service = (...externalIPs: string[]): JsonObject => ({ metadata: { name: 's' }, spec: { externalIPs } });
  const refusal = 'services "s" is forbidden: Use of external IPs is denied by admission control';

  it('refuses addresses that a Service does not have yet', async () => {
    await assertForbidden(plugin, writeOf('services', service('1.2.3.4')), refusal);
    const oldObject = service('1.2.3.4');
    await assertForbidden(plugin, writeOf('services', service('1.2.3.4', '5.6.7.8'), { oldObject }), refusal);
  });

  it('lets Services keep and remove addresses', async () => {
    const oldObject = service('1.2.3.4', '5.6.7.8');
    await admit(plugin, writeOf('services', service('5.6.7.8'), { oldObject }));
    await admit(plugin, writeOf('services', service(), { oldObject }));
    await admit(plugin, writeOf('services', service()));
  });
});

describe('NamespaceExists', () => {
  const plugin = namespaceExists(pluginContext({ listerOf: listerOf('namespaces.', { metadata: { name: 'ns' } }) }));

  it('refuses every write in a missing namespace', async () => {
    await admit(plugin, writeOf('pods', pod({})));
    for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
      await assert.rejects(admit(plugin, writeOf('pods', pod({}), { namespace: 'gone', operation })), {
        reason: 'NotFound',
        message: 'namespaces "gone" not found',
      });
    }
  });

  it('leaves cluster-scoped objects and namespaces alone', async () => {
    await admit(plugin, writeOf('nodes', { metadata: { name: 'n' } }, { namespace: '' }));
    await admit(plugin, writeOf('namespaces', { metadata: { name: 'new' } }, { namespace: 'new' }));
  });
});

describe('SecurityContextDeny', () => {
  const plugin = securityContextDeny();
  const refusedOfPod: readonly [JsonObject, string][] = [
    [{ supplementalGroups: [1] }, 'SupplementalGroups'],
    [{ seLinuxOptions: { level: 's0' } }, 'SELinuxOptions'],
    [{ runAsUser: 0 }, 'RunAsUser'],
    [{ fsGroup: 1 }, 'FSGroup'],
  ];

  it('refuses users, groups and SELinux options of the Pod', async () => {
    for (const [securityContext, field] of refusedOfPod) {
      await assertPodRefused(plugin, { securityContext }, `pod.Spec.SecurityContext.${field} is forbidden`);
    }
  });

  it('refuses users and SELinux options of containers', async () => {
    for (const list of ['initContainers', 'containers']) {
      const containers = (...items: JsonObject[]): JsonObject => ({ securityContext: {}, [list]: items });
      const spec = (securityContext: JsonObject) => containers({ name: 'a' }, { securityContext });
      await assertPodRefused(plugin, spec({ runAsUser: 1 }), 'SecurityContext.RunAsUser is forbidden');
      await assertPodRefused(plugin, spec({ seLinuxOptions: {} }), 'SecurityContext.SELinuxOptions is forbidden');
    }
  });

  it('lets other fields pass', async () => {
    await specOf(plugin, {
      securityContext: { runAsNonRoot: true, runAsGroup: 1 },
      containers: [{ name: 'c', securityContext: { privileged: true } }],
    });
  });
});

describe('LimitPodHardAntiAffinityTopology', () => {
  const plugin = limitPodHardAntiAffinityTopology(pluginContext({ identifiers }));
  const spec = (rule: string, topologyKey: string): JsonObject => ({
    affinity: { podAntiAffinity: { [rule]: [{ topologyKey: 'kubernetes.io/hostname' }, { topologyKey }] } },
  });

  it('refuses required anti-affinity to more than a node', () =>
    assertPodRefused(
      plugin,
      spec('requiredDuringSchedulingIgnoredDuringExecution', 'zone'),
      'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone ' +
        'but only key kubernetes.io/hostname is allowed',
    ));

  it('lets anti-affinity to nodes and preferences pass', async () => {
    await specOf(plugin, spec('requiredDuringSchedulingIgnoredDuringExecution', 'kubernetes.io/hostname'));
    await specOf(plugin, spec('preferredDuringSchedulingIgnoredDuringExecution', 'zone'));
  });
});

describe('ExtendedResourceToleration', () => {
  const plugin = extendedResourceToleration(pluginContext({ identifiers }));
  const requesting = (...names: string[]): JsonObject => ({
    resources: { requests: Object.fromEntries(names.map((name) => [name, '1'])) },
  });
  const toleration = (key: string): JsonObject => ({ key, operator: 'Exists', effect: 'NoSchedule' });

  it('tolerates the taints of extended resources, sorted and once', async () => {
    const own = { key: 'a', operator: 'Exists' };
    const spec = await specOf(plugin, {
      initContainers: [requesting('example.com/gpu', 'example.com/disk')],
      containers: [requesting('cpu', 'kubernetes.io/batteries', 'requests.example.com/x', 'example.com/gpu')],
      tolerations: [own],
    });
    const expected = [own, toleration('example.com/disk'), toleration('example.com/gpu')];
    assert.deepEqual(spec['tolerations'], expected);
    assert.deepEqual((await specOf(plugin, spec))['tolerations'], expected);
  });

  it('adds nothing to a Pod that requests none', async () => {
    assert.deepEqual(await specOf(plugin, { containers: [requesting('cpu')] }), { containers: [requesting('cpu')] });
  });

  it('takes linear time for a Pod with many resources', async () => {
    const requests = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`example.com/${index}`, '1']));
    const spec = await specOf(plugin, { containers: [{ resources: { requests } }] });
    assert.equal((spec['tolerations'] as JsonObject[]).length, 200_000);
  });
});
