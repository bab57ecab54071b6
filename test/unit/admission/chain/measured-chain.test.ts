import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../../src/admission/admission.ts';
import { createChain } from '../../../../src/admission/chain/create-chain.ts';
import { measuredChain } from '../../../../src/admission/chain/measured-chain.ts';
import { textFormat } from '../../../../src/metrics/exposition-format.ts';
import { MetricsRegistry } from '../../../../src/metrics/metrics-registry.ts';
import { builtInDefinitions } from '../../../../src/catalogue/definitions.ts';
import { admit, identifiers, listerOf, writeOf } from '../attributes.ts';
import { chainDependencies } from '../chain-dependencies.ts';

describe('a measured chain', () => {
  const write = writeOf('things.example.com', { metadata: { name: 'a' } });
  const clusterWide = { ...write, namespace: '' };
  const started = (...plugins: readonly Pick<AdmissionPlugin, 'mutate' | 'validate'>[]) => {
    const metrics = new MetricsRegistry();
    const named = plugins.map((plugin, index) => ({ name: `P${index}`, operations: ['CREATE'] as const, ...plugin }));
    const [all] = measuredChain(named, metrics);
    const counts = async (): Promise<readonly string[]> =>
      (await metrics.encode(textFormat)).toString().match(/^[a-z_]+_count.*$/gm) ?? [];
    return { mutate: () => all?.mutate?.(write), counts };
  };
  const pass = (): void => {};
  const refuse = (): never => {
    throw new RangeError('no');
  };
  const work = (): void => {
    const endMs = performance.now() + 25;
    while (performance.now() < endMs);
  };

  it('admits a write in one turn if no plugin waits', async () => {
    // A process that the machine takes from its core looks as if a plugin had worked long.
    const chains = Array.from({ length: 20 }, () => started({ mutate: pass }, { validate: refuse }, { mutate: pass }));
    const chain = chains.find(({ mutate }) => mutate() === undefined);
    assert.deepEqual(await chain?.counts(), [
      'apiserver_admission_controller_admission_duration_seconds_count{name="P0",operation="CREATE",rejected="false",type="admit"} 1',
      'apiserver_admission_controller_admission_duration_seconds_count{name="P2",operation="CREATE",rejected="false",type="admit"} 1',
      'apiserver_admission_step_admission_duration_seconds_count{operation="CREATE",rejected="false",type="admit"} 1',
    ]);
  });

  it('counts a refusal, now or later, and ends with it', async () => {
    for (const refusal of [refuse, async () => refuse()]) {
      const { mutate, counts } = started({ mutate: async () => {} }, { mutate: refusal }, { mutate: pass });
      await assert.rejects(async () => mutate(), /no/);
      assert.deepEqual(await counts(), [
        'apiserver_admission_controller_admission_duration_seconds_count{name="P0",operation="CREATE",rejected="false",type="admit"} 1',
        'apiserver_admission_controller_admission_duration_seconds_count{name="P1",operation="CREATE",rejected="true",type="admit"} 1',
        'apiserver_admission_step_admission_duration_seconds_count{operation="CREATE",rejected="true",type="admit"} 1',
      ]);
    }
  });

  it('yields to other requests after a plugin that took long', async () => {
    const events: string[] = [];
    const { mutate } = started({ mutate: work }, { mutate: () => void events.push('next plugin') });
    setImmediate(() => events.push('another request'));
    await mutate();
    assert.deepEqual(events, ['another request', 'next plugin']);
  });

  it('waits for no plugin of this server if the kind concerns none of them', () => {
    const chain = createChain({ ...chainDependencies, listerOf: listerOf('things') }, { enabled: [], disabled: [] });
    const results = chain.flatMap((plugin) => [plugin.mutate?.(clusterWide), plugin.validate?.(clusterWide)]);
    assert.deepEqual(new Set(results), new Set([undefined]));
  });

  it('keeps writes only from plugins that other resources concern, and counts these', async () => {
    const asked: string[] = [];
    const plugin = (name: string, ...resources: readonly string[]): AdmissionPlugin => ({
      name,
      operations: ['CREATE'],
      ...(resources.length > 0 ? { resources } : {}),
      mutate: () => void asked.push(name),
    });
    const metrics = new MetricsRegistry();
    const [all] = measuredChain([plugin('pods', 'pods'), plugin('any'), plugin('things', 'pods', 'things')], metrics);
    await all?.mutate?.(write);
    await all?.mutate?.(writeOf('others.', { metadata: { name: 'a' } }));
    assert.deepEqual(asked, ['any', 'things', 'any']);
    const text = (await metrics.encode(textFormat)).toString();
    for (const name of ['pods', 'any', 'things']) assert.match(text, new RegExp(`_count\\{name="${name}".*\\} 2`));
    asked.length = 0;
    const traced: string[] = [];
    await all?.mutate?.({ ...write, trace: { everyPlugin: true, add: (name: string) => void traced.push(name) } });
    assert.deepEqual(asked, ['pods', 'any', 'things']);
    assert.deepEqual(traced, ['plugin.admit.pods', 'plugin.admit.any', 'plugin.admit.things']);
  });

  // What any plugin could change or refuse, in one object.
  const spec = { containers: [{ name: 'c', image: 'x', securityContext: { privileged: true } }], hostNetwork: true };
  const everything = {
    metadata: { name: 'a', namespace: 'ns' },
    spec: {
      ...spec,
      template: { spec },
      jobTemplate: { spec: { template: { spec } } },
      accessModes: ['ReadWriteOnce'],
      overhead: { cpu: '1' },
      signerName: 'kubernetes.io/kube-apiserver-client',
      request: 'eA==',
      resources: { requests: { storage: '2' } },
    },
    template: { spec },
    globalDefault: true,
    status: { certificate: 'eA==' },
  };

  it('keeps no write from a plugin of this server that would change or refuse it', async () => {
    const found = {
      metadata: {
        name: 'ns',
        labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
        annotations: {
          'ingressclass.kubernetes.io/is-default-class': 'true',
          'storageclass.kubernetes.io/is-default-class': 'true',
        },
      },
      spec: { limits: ['Pod', 'PersistentVolumeClaim'].map((type) => ({ type, max: { storage: '1', cpu: '1' } })) },
      globalDefault: true,
      value: 5,
    };
    const read = [
      'limitranges.',
      'namespaces.',
      'serviceaccounts.',
      'priorityclasses.scheduling.k8s.io',
      'ingressclasses.networking.k8s.io',
      'storageclasses.storage.k8s.io',
    ];
    for (const resource of read) {
      const dependencies = { ...chainDependencies, listerOf: listerOf(resource, found) };
      const named = createChain(dependencies, { enabled: [], disabled: [] }).filter((plugin) => plugin.resources);
      assert.ok(named.length > 10);
      for (const plugin of named) await assertIdleElsewhere(plugin);
    }
  });

  async function assertIdleElsewhere(plugin: AdmissionPlugin): Promise<void> {
    const elsewhere = builtInDefinitions(identifiers).filter(({ resource }) => !plugin.resources?.includes(resource));
    for (const { group, resource } of elsewhere) {
      for (const [subresource, oldObject] of [
        ['', undefined],
        ['', { ...everything, spec: {} }],
        ['status', { ...everything, status: {} }],
        ['approval', everything],
      ] as const) {
        const object = structuredClone(everything);
        const acts = (): never => assert.fail(`${plugin.name} concerns ${resource}`);
        const attributes = writeOf(`${resource}.${group}`, object, {
          subresource,
          oldObject,
          warn: acts,
          annotate: acts,
        });
        assert.deepEqual(await admit(plugin, attributes), everything, `${plugin.name} changes ${resource}`);
      }
    }
  }
});
