import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { respond, startWebhookWorld, type WebhookWorld } from './admission/webhook-world.ts';
import { request } from './http-client.ts';
import { readMetrics } from './read-metrics.ts';
import { configMaps } from './reads/world.ts';
import { until } from './until.ts';

const waitMs = 300;
const labels =
  'component="apiserver",group="",resource="configmaps",scope="resource",subresource="",verb="POST",version="v1"';

describe('/metrics of 1.36', () => {
  let world: WebhookWorld;
  let metrics: ReadonlyMap<string, number>;
  const value = (series: string): number => metrics.get(series) ?? assert.fail(`no ${series}`);

  before(async () => {
    world = await startWebhookWorld({ emulatedRelease: '1.36' });
    await world.configure('validating', 'slow', { name: 'slow' });
    world.at('/slow', async (review, response) => {
      await sleep(waitMs);
      await respond({})(review, response);
    });
    await until('the webhook', async () => {
      await request(world.server, 'POST', configMaps, { metadata: { generateName: 'x' } });
      return world.seen.length > 0;
    });
    await request(world.server, 'GET', configMaps);
    metrics = await readMetrics(world.server);
  });
  after(() => world[Symbol.asyncDispose]());

  it('has request durations without the waits for webhooks', () => {
    const whole = value(`apiserver_request_duration_seconds_sum{${labels.replace('group', 'dry_run="",group')}}`);
    const own = value(`apiserver_request_sli_duration_seconds_sum{${labels}}`);
    assert.ok(whole - own >= 0.9 * (waitMs / 1_000), `${whole} and ${own}`);
    assert.ok(own > 0);
  });

  it('counts calls of the store by group and resource, and lists of the store and the cache', () => {
    const create = 'etcd_requests_total{group="",operation="create",resource="configmaps"}';
    assert.equal(value(create), value(create.replace('requests_total', 'request_duration_seconds_count')));
    assert.ok(value(create) > 0);
    assert.ok(value('apiserver_storage_list_total{group="",resource="configmaps"}') > 0);
    assert.equal(value('apiserver_cache_list_total{group="",index="",resource="configmaps"}'), 1);
    assert.ok(value('apiserver_cache_list_returned_objects_total{group="",resource="configmaps"}') > 0);
  });

  it('shows seats and utilization of priority levels, and filter durations', () => {
    const exempt = '{priority_level="exempt"}';
    assert.equal(value(`apiserver_flowcontrol_current_limit_seats${exempt}`), 1);
    for (const bound of ['lower', 'upper', 'nominal']) {
      assert.ok(value(`apiserver_flowcontrol_${bound}_limit_seats{priority_level="workload-low"}`) > 0, bound);
    }
    const utilization = 'apiserver_flowcontrol_priority_level_seat_utilization';
    const level = '{phase="executing",priority_level="exempt"}';
    assert.ok(value(`${utilization}_count${level}`) > value(`${utilization}_sum${level}`));
    assert.ok(value(`${utilization}_sum${level}`) > 0);
    for (const filter of ['authentication', 'authorization', 'priorityandfairness']) {
      assert.ok(value(`apiserver_request_filter_duration_seconds_count{filter="${filter}"}`) > 0, filter);
    }
  });

  const families = [
    'apiserver_audit_event_total',
    'apiserver_request_body_size_bytes_count{group="",resource="configmaps",verb="create"}',
    'apiserver_resource_objects{group="",resource="configmaps"}',
    'apiserver_watch_cache_resource_version{group="",resource="configmaps"}',
    'apiserver_watch_cache_events_received_total{group="",resource="configmaps"}',
    'field_validation_request_duration_seconds_count{field_validation=""}',
    'version_info{binary="1.36.0",component="kube",emulation="1.36",min_compat="1.35"}',
    'watch_cache_capacity{group="",resource="configmaps"}',
  ];
  for (const series of families) it(`has ${series}`, () => assert.ok(value(series) >= 0));
});
