import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { ListerOf } from '../../../src/meta/lister.ts';
import { serviceResolver } from '../../../src/outbound/service-resolver.ts';

const never = new AbortController().signal;

/** Listers that know one object of each of these resources. */
function listersOf(objects: Readonly<Record<string, JsonObject>>): ListerOf {
  return ({ resource, read }) => {
    const object = objects[resource];
    return {
      peek: () => undefined,
      get: async () => object && read(object as Parameters<typeof read>[0]),
      list: async () => [],
      follow: () => ({ catchUp: () => undefined }),
    };
  };
}

const services: JsonObject = {
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.0.0.7',
    ports: [
      { name: 'https', port: 443 },
      { name: 'other', port: 80 },
    ],
  },
};
const ready = { addresses: [{ ip: '10.1.0.1' }], ports: [{ name: 'https', port: 8443 }] };
const ofOtherPort = { addresses: [{ ip: '10.1.0.2' }], ports: [{ name: 'other', port: 8080 }] };
const notReady = { notReadyAddresses: [{ ip: '10.1.0.3' }], ports: [{ name: 'https', port: 8443 }] };
const external: JsonObject = { spec: { type: 'ExternalName', externalName: 'example.com' } };

describe('the address of a Service', () => {
  type ServiceResolverName = Parameters<typeof serviceResolver>[1];
  const resolve = (resolver: ServiceResolverName, objects: Readonly<Record<string, JsonObject>>, port = 443) =>
    serviceResolver(listersOf(objects), resolver)({ namespace: 'n', name: 'web', port }, never);

  it('is that of an endpoint which is ready, at the port of the same name', async () => {
    const endpoints = { subsets: [notReady, ofOtherPort, ready] };
    assert.deepEqual(await resolve('endpoints', { services, endpoints }), { host: '10.1.0.1', port: 8443 });
  });

  it('is the cluster IP, or the external name, without endpoints', async () => {
    assert.deepEqual(await resolve('cluster-ip', { services }), { host: '10.0.0.7', port: 443 });
    assert.deepEqual(await resolve('cluster-ip', { services: external }), { host: 'example.com', port: 443 });
  });

  it('is its name for a DNS server', async () => {
    assert.deepEqual(await resolve('dns', {}), { host: 'web.n.svc', port: 443 });
  });

  const refusals: readonly (readonly [
    resolver: ServiceResolverName,
    objects: Record<string, JsonObject>,
    why: string,
  ])[] = [
    ['endpoints', {}, 'service "web" not found'],
    ['endpoints', { services }, 'endpoints "web" not found'],
    ['endpoints', { services, endpoints: { subsets: [notReady] } }, 'no endpoints available for service "web"'],
    ['endpoints', { services: external }, 'unsupported service type "ExternalName"'],
    [
      'cluster-ip',
      { services: { spec: { clusterIP: 'None', ports: [{ port: 443 }] } } },
      'service "web" has no cluster IP',
    ],
  ];
  for (const [resolver, objects, message] of refusals) {
    it(`does not exist (${resolver}): ${message}`, () => assert.rejects(resolve(resolver, objects), { message }));
  }

  it('does not exist for a port that the Service lacks', () =>
    assert.rejects(resolve('endpoints', { services }, 81), { message: 'no service port 81 found for service "web"' }));
});
