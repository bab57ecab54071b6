import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { locateService } from '../../../src/resources/core/services/proxy-location.ts';

const service = {
  spec: {
    ports: [
      { name: 'web', port: 80 },
      { name: 'admin', port: 81 },
    ],
  },
};
const podOf = (name: string, namespace = 'ns'): JsonObject => ({ kind: 'Pod', namespace, name });
const pods: Readonly<Record<string, JsonObject>> = {
  'ns/a': { status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] } },
  'ns/b': { status: { podIP: '10.0.0.2' } },
  'other/c': { status: { podIP: '10.0.0.3' } },
};

/** Locates a Service whose Endpoints have these addresses. */
async function locate(
  addresses: readonly JsonObject[],
  { scheme = '', port = 'web', notReady = addresses.slice(0, 0) } = {},
) {
  const subset = { addresses: [...addresses], notReadyAddresses: [...notReady], ports: [{ name: 'web', port: 8080 }] };
  const locateIt = locateService({
    findEndpoints: () => Promise.resolve({ subsets: [{ ports: [] }, subset] }),
    findPod: (namespace, name) => Promise.resolve(pods[`${namespace}/${name}`]),
  });
  const { signal } = new AbortController();
  const request = { namespace: 'ns', name: 's', object: service, options: {}, scheme, port, signal };
  const { host, port: found, scheme: used } = (await locateIt(request)) ?? {};
  return `${used}://${host}:${found}`;
}

describe('the location of a service', () => {
  it('is an address of a port by its name or number', async () => {
    const addresses = [{ ip: '10.0.0.1', targetRef: podOf('a') }];
    assert.equal(await locate(addresses), 'http://10.0.0.1:8080');
    assert.equal(await locate(addresses, { port: '80' }), 'http://10.0.0.1:8080');
    assert.equal(await locate(addresses, { scheme: 'https' }), 'https://10.0.0.1:8080');
    assert.equal(await locate([{ ip: 'fd00::1', targetRef: podOf('a') }]), 'http://fd00::1:8080');
  });

  it('is any of several addresses', async () => {
    const addresses = [
      { ip: '10.0.0.1', targetRef: podOf('a') },
      { ip: '10.0.0.2', targetRef: podOf('b') },
    ];
    const found = new Set<string>();
    for (let tries = 0; tries < 200 && found.size < 2; tries++) found.add(await locate(addresses));
    assert.equal(found.size, 2);
  });

  const refused: Readonly<Record<string, JsonObject>> = {
    'without a pod': { ip: '10.0.0.1' },
    'of a pod with another address': { ip: '10.0.0.9', targetRef: podOf('a') },
    'of a pod in another namespace': { ip: '10.0.0.3', targetRef: podOf('c', 'other') },
    'of a pod that does not exist': { ip: '10.0.0.1', targetRef: podOf('none') },
  };
  for (const [what, address] of Object.entries(refused)) {
    it(`is no address ${what}`, async () => {
      await assert.rejects(locate([address]), { message: 'no endpoints available for service "s:web"', code: 503 });
      assert.equal(await locate([address, { ip: '10.0.0.2', targetRef: podOf('b') }]), 'http://10.0.0.2:8080');
    });
  }

  it('is no address that is not ready, and none of another port', async () => {
    const addresses = [{ ip: '10.0.0.1', targetRef: podOf('a') }];
    await assert.rejects(locate([], { notReady: addresses }), { code: 503 });
    await assert.rejects(locate(addresses, { port: '81' }), { message: 'no endpoints available for service "s:81"' });
    await assert.rejects(locate(addresses, { port: '82' }), { message: 'no service port 82 found for service "s"' });
  });
});
