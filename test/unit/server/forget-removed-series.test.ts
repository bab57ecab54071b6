import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { counterVector } from '../../../src/metrics/metric-vector.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { MutableCatalogue } from '../../../src/registry/definition/live-catalogue.ts';
import type { ResourceDefinition } from '../../../src/registry/definition/resource-definition.ts';
import { forgetRemovedSeries } from '../../../src/server/forget-removed-series.ts';

const group = 'example.com';

function definitionOf(resource: string, kind: string): ResourceDefinition {
  return { group, resource, kind, versions: [] } as unknown as ResourceDefinition;
}

const [widgets, gears] = [definitionOf('widgets', 'Widget'), definitionOf('gears', 'Gear')];

function world() {
  const catalogue = new MutableCatalogue([widgets, gears]);
  const metrics = new MetricsRegistry();
  const families = [
    counterVector({ name: 'requests', help: 'Requests.' }, ['verb', 'group', 'resource']),
    counterVector({ name: 'events', help: 'Events.' }, ['group', 'version', 'kind']),
    counterVector({ name: 'conversions', help: 'Conversions.' }, ['crd_name']),
    counterVector({ name: 'attempts', help: 'Attempts.' }, ['result']),
  ] as const;
  metrics.register(...families);
  const [requests, events, conversions, attempts] = families;
  const count = (resource: string, kind: string): void => {
    requests.with('GET', group, resource).add();
    events.with(group, 'v1', kind).add();
    conversions.with(`${resource}.${group}`).add();
  };
  count('widgets', 'Widget');
  count('gears', 'Gear');
  requests.with('GET', '', 'widgets').add();
  attempts.with('success').add();
  const series = () => families.flatMap((family) => [...family.samples()].map(({ labels }) => Object.values(labels)));
  forgetRemovedSeries({ catalogue, metrics, keptMs: 20 });
  return { catalogue, count, series: () => series().map((values) => values.join(' ')) };
}

const ofWidgets = new Set(['GET example.com widgets', 'example.com v1 Widget', 'widgets.example.com']);

describe('The metrics of a resource that was removed', () => {
  it('are kept for a while, then removed', async () => {
    const { catalogue, count, series } = world();
    const all = series();
    catalogue.remove(group, 'widgets');
    assert.deepEqual(series(), all);
    await sleep(60);
    assert.deepEqual(
      series(),
      all.filter((one) => !ofWidgets.has(one)),
    );
    // Nothing was remembered of them.
    count('widgets', 'Widget');
    assert.deepEqual(series().toSorted(), all.toSorted());
  });

  it('stay if it is served again, or was only replaced', async () => {
    const { catalogue, series } = world();
    const all = series();
    catalogue.remove(group, 'widgets');
    catalogue.put(widgets);
    catalogue.put(gears);
    await sleep(60);
    assert.deepEqual(series(), all);
  });
});
