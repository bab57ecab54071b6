import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import { createChain } from '../../../src/admission/create-chain.ts';
import { measuredChain } from '../../../src/admission/measured-chain.ts';
import { textFormat } from '../../../src/metrics/exposition-format.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { listerOf, writeOf } from './attributes.ts';
import { chainDependencies } from './chain-dependencies.ts';

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
});
