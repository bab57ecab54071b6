import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { type Fixture, startFixture } from './fixture.ts';

const text = 'text/plain; version=0.0.4; charset=utf-8';
const openMetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

describe('the formats of metrics', () => {
  let server: Fixture;

  before(async () => {
    const ping = { name: 'ping', check: () => undefined };
    const fails = { name: 'poststarthook/etcd', check: () => Promise.reject(new Error('down')) };
    server = await startFixture({ health: { livez: [ping], readyz: [ping, fails] } });
  });
  after(() => server[Symbol.asyncDispose]());

  const cases: readonly (readonly [accept: string | undefined, type: string])[] = [
    [undefined, text],
    ['*/*', text],
    ['application/json', text],
    ['application/openmetrics-text', openMetrics],
    ['application/openmetrics-text; version=1.0.0', openMetrics],
    ['application/openmetrics-text; version=0.0.1', text],
    ['application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.6', text],
    ['application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1', text],
    ['application/openmetrics-text;version=1.0.0;q=0.6,*/*;q=0.1', openMetrics],
  ];
  for (const [accept, type] of cases) {
    it(`answers ${type} to Accept: ${accept ?? 'none'}`, async () => {
      for (const path of ['/metrics', '/metrics/slis']) {
        const response = await server.send({ path, headers: accept === undefined ? {} : { accept } });
        assert.equal(response.status, 200);
        assert.equal(response.headers['content-type'], type);
        assert.equal(response.text.endsWith('# EOF\n'), type === openMetrics);
      }
    });
  }

  it('compresses metrics for clients that accept it', async () => {
    await server.send({ path: '/api/v1/configmaps' });
    const response = await server.send({ path: '/metrics', headers: { 'accept-encoding': 'gzip' } });
    assert.equal(response.headers['content-encoding'], 'gzip');
    assert.match(gunzipSync(response.bytes).toString(), /^# TYPE apiserver_request_total counter$/m);
  });

  it('tells the results of health checks as indicators of the service level', async () => {
    await server.send({ path: '/livez' });
    await server.send({ path: '/readyz' });
    await server.send({ path: '/readyz/poststarthook/etcd' });
    const { text: slis } = await server.send({ path: '/metrics/slis' });
    for (const line of [
      'kubernetes_healthcheck{name="ping",type="livez"} 1',
      'kubernetes_healthcheck{name="poststarthook/etcd",type="readyz"} 0',
      'kubernetes_healthchecks_total{name="ping",status="success",type="livez"} 1',
      'kubernetes_healthchecks_total{name="poststarthook/etcd",status="error",type="readyz"} 2',
    ]) {
      assert.ok(slis.split('\n').includes(line), `${line} is not in\n${slis}`);
    }
  });
});
