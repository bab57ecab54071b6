import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtInResources, createClient, type GenericObject } from 'cl-apiserver/client';
import { startServer } from 'cl-apiserver/testing';
import { serveWeather } from './serve-weather.js';

const { apiservices, services } = builtInResources();
const forecasts = { group: 'weather.example.com', version: 'v1', resource: 'forecasts', namespaced: false };

it('serves a group behind the API server, which says who asks', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'weather-'));
  execFileSync('sh', [path.resolve('make-certificates.sh')], { cwd: folder, stdio: 'ignore' });
  const file = (name: string) => path.join(folder, name);
  const text = (name: string) => readFileSync(file(name), 'utf8');
  const weather = serveWeather({ key: text('serving.key'), cert: text('serving.crt'), ca: text('ca.crt') });
  weather.listen(0, 'localhost');
  await once(weather, 'listening');

  const server = await startServer({
    serviceResolver: 'cluster-ip',
    proxyClient: { certFile: file('proxy.crt'), keyFile: file('proxy.key') },
    frontProxy: {
      caFile: file('ca.crt'),
      allowedNames: ['front-proxy'],
      headers: { username: ['X-Remote-User'], uid: [], groups: ['X-Remote-Group'], extraPrefixes: ['X-Remote-Extra-'] },
    },
  });
  const client = createClient(server.connection);
  await client
    .resource(services)
    .create({ metadata: { name: 'weather' }, spec: { type: 'ExternalName', externalName: 'localhost' } });
  const { port } = weather.address() as AddressInfo;
  await client.resource(apiservices).create({
    metadata: { name: 'v1.weather.example.com' },
    spec: {
      group: forecasts.group,
      version: 'v1',
      groupPriorityMinimum: 500,
      versionPriority: 10,
      service: { namespace: 'default', name: 'weather', port },
      caBundle: Buffer.from(text('ca.crt')).toString('base64'),
    },
  });

  const read = () =>
    client
      .resource<GenericObject>(forecasts)
      .get('london')
      .catch(() => undefined);
  let forecast = await read();
  for (; !forecast; forecast = await read()) await sleep(10);
  assert.deepEqual(forecast['status'], { temperature: 21, askedBy: 'admin' });
  await client.close();
  await server.stop();
  weather.close();
  rmSync(folder, { recursive: true });
});
