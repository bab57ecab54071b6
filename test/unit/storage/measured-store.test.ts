import assert from 'node:assert/strict';
import { textFormat } from '../../../src/metrics/exposition-format.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { measuredStore } from '../../../src/storage/port/measured-store.ts';

describe('the metrics of a store', () => {
  it('count the calls for a resource that was removed and is served again', async () => {
    const metrics = new MetricsRegistry({ release: '1.36' });
    const store = measuredStore(new MemoryStore(), metrics, {
      names: ['resource'],
      typeOf: () => 'things',
      goTypeOf: () => 'things',
      valuesOf: (type) => [type],
    });
    const count = async (): Promise<string | undefined> =>
      /^etcd_request_duration_seconds_count\{.*operation="get".*\} (\d+)$/m.exec(
        (await metrics.encode(textFormat)).toString(),
      )?.[1];
    await store.get('/registry/things/a');
    assert.equal(await count(), '1');
    metrics.forget(({ resource }) => resource === 'things');
    assert.equal(await count(), undefined);
    await store.get('/registry/things/a');
    assert.equal(await count(), '1');
    await store.close();
  });
});
