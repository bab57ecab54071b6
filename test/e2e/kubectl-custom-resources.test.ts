import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, stringAt } from '../../src/meta/read-field.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { readText } from './read-object.ts';
import { startServer } from './start-server.ts';
import { certificates } from '../http/custom-resources/operators/cert-manager.ts';
import { gateways, gatewayClasses, httpRoutes } from '../http/custom-resources/operators/gateway-api.ts';
import { prometheuses } from '../http/custom-resources/operators/prometheus-operator.ts';
import { request } from '../http/http-client.ts';

const run = promisify(execFile);
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const kinds = { certificates, gateways, gatewayClasses, httpRoutes, prometheuses };

/** Further changes that `kubectl edit` makes, as a program that gets a file. */
const editor = `sed -i 's/secretName: shop-tls/secretName: other-tls/'`;

describe('kubectl and custom kinds', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string;

  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-kubectl-custom-'));
    server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
    await writeFile(path.join(directory, 'config'), server.clientConfig);
    for (const [name, { definition, sample }] of Object.entries(kinds)) {
      await file(`${name}-definition.json`, definition);
      await file(`${name}.json`, sample);
    }
  });

  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const file = (name: string, object: JsonObject): Promise<void> =>
    writeFile(path.join(directory, name), JSON.stringify(object));

  async function kube(...args: string[]): Promise<string> {
    const env = { ...process.env, KUBECONFIG: path.join(directory, 'config'), HOME: directory, KUBE_EDITOR: editor };
    const { stdout } = await run(kubectl, args, { env, cwd: directory });
    return stdout;
  }

  const valueOf = (what: string, at: string): Promise<string> => readText(server, what, at);

  const isRefused = (error: RegExp, ...args: string[]): Promise<void> => assert.rejects(kube(...args), error);

  it('applies definitions and waits until they are established', async () => {
    for (const [name, { definition }] of Object.entries(kinds)) {
      const applied = await kube('apply', '-f', `${name}-definition.json`);
      const full = stringAt(objectAt(definition, 'metadata'), 'name');
      assert.equal(applied, `customresourcedefinition.apiextensions.k8s.io/${full} created\n`);
    }
    const waited = await kube('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
    assert.equal(waited.trim().split('\n').length, Object.keys(kinds).length);
    const resources = await kube('api-resources', '--api-group=gateway.networking.k8s.io', '--no-headers');
    assert.match(resources, /^gatewayclasses +gc +gateway.networking.k8s.io\/v1 +false +GatewayClass$/m);
  });

  it('creates objects and shows them in columns, by short names and categories', async () => {
    for (const name of Object.keys(kinds)) assert.match(await kube('apply', '-f', `${name}.json`), / created\n$/);
    const [heading, row] = (await kube('get', 'cert', '-o', 'wide')).split('\n');
    assert.match(heading ?? '', /^NAME +READY +SECRET +ISSUER +STATUS +AGE$/);
    assert.match(row ?? '', /^shop +shop-tls +letters +\S+$/);
    assert.match((await kube('get', 'cert')).split('\n')[0] ?? '', /^NAME +READY +SECRET +AGE$/);
    const all = await kube('get', 'gateway-api', '-o', 'name');
    assert.deepEqual(all.trim().split('\n'), [
      'gatewayclass.gateway.networking.k8s.io/edge',
      'gateway.gateway.networking.k8s.io/edge',
      'httproute.gateway.networking.k8s.io/shop',
    ]);
  });

  it('explains fields', async () => {
    const fields = await kube('explain', 'certificates.spec.keystores.pkcs12');
    assert.match(fields, /^ +create\s+<boolean> -required-/m);
    assert.match(fields, /^ +passwordSecretRef\s+<Object>/m);
    assert.match(await kube('explain', 'gtw', '--recursive'), /^ +certificateRefs\s+<\[\]Object>/m);
  });

  it('applies what has changed, and nothing if nothing has', async () => {
    assert.match(await kube('apply', '-f', 'certificates.json'), / unchanged\n$/);
    const { sample } = httpRoutes;
    await file('httpRoutes.json', { ...sample, spec: { ...objectAt(sample, 'spec'), hostnames: ['new.example.com'] } });
    assert.match(await kube('apply', '-f', 'httpRoutes.json'), / configured\n$/);
    assert.equal(await valueOf('httproute/shop', '.spec.hostnames'), '["new.example.com"]');
    assert.equal(await valueOf('httproute/shop', '.spec.rules[0].backendRefs[0].weight'), '1');
    assert.equal(await kube('diff', '-f', 'gatewayClasses.json'), '', 'no difference');
  });

  it('applies server-side, where atomic lists with defaults belong to who wrote them', async () => {
    await isRefused(/conflicts? with "kubectl-client-side-apply"/, 'apply', '--server-side', '-f', 'gateways.json');
    const forced = await kube('apply', '--server-side', '--force-conflicts', '-f', 'gateways.json');
    assert.match(forced, / serverside-applied\n$/);
    assert.match(await kube('apply', '--server-side', '-f', 'gateways.json'), / serverside-applied\n$/);
  });

  it('patches and edits', async () => {
    await kube('patch', 'gtw', 'edge', '--type=merge', '-p', '{"spec":{"gatewayClassName":"other"}}');
    const operations = '[{"op":"replace","path":"/spec/listeners/0/port","value":81}]';
    await kube('patch', 'gtw', 'edge', '--type=json', '-p', operations);
    assert.equal(await valueOf('gtw/edge', '.spec.gatewayClassName'), 'other');
    assert.equal(await valueOf('gtw/edge', '.spec.listeners[0].port'), '81');
    await isRefused(/body of the request was in an unknown format/, 'patch', 'gtw', 'edge', '-p', '{"spec":{}}');
    const empty = '{"spec":{"listeners":[]}}';
    await isRefused(/should have at least 1 items/, 'patch', 'gtw', 'edge', '--type=merge', '-p', empty);
    assert.match(await kube('edit', 'cert', 'shop'), /certificate.cert-manager.io\/shop edited/);
    assert.equal(await valueOf('cert/shop', '.spec.secretName'), 'other-tls');
    await kube('annotate', 'gtw', 'edge', 'a=b');
    await kube('label', 'prom', 'main', 'x=y');
    assert.equal(await kube('get', 'prom', '-l', 'x=y', '-o', 'name'), 'prometheus.monitoring.coreos.com/main\n');
  });

  it('scales and waits for conditions', async () => {
    assert.match(await kube('scale', 'prom', 'main', '--replicas=5'), /scaled/);
    assert.equal(await valueOf('prom/main', '.spec.replicas'), '5');
    const waiting = kube('wait', '--for=condition=Ready', 'cert/shop', '--timeout=60s');
    const { status = {} } = certificates;
    const place = '/apis/cert-manager.io/v1/namespaces/default/certificates/shop/status';
    assert.equal((await request(server, 'PATCH', place, { status }, mergePatch)).status, 200);
    assert.match(await waiting, /condition met/);
    assert.match(await kube('describe', 'cert', 'shop'), /Message: +up to date/);
  });

  it('refuses what the schema does not know', async () => {
    const { sample } = certificates;
    const spec = { ...objectAt(sample, 'spec'), zork: 1 };
    await file('typo.json', { ...sample, metadata: { name: 'typo' }, spec });
    await isRefused(/unknown field "(?:spec\.)?zork"/, 'create', '-f', 'typo.json');
    await kube('create', '-f', 'typo.json', '--validate=false');
    assert.equal(await valueOf('cert/typo', '.spec.zork'), '');
  });

  it('deletes objects and definitions, which can come back', async () => {
    assert.match(await kube('delete', 'gtw', 'edge', '--wait'), /deleted/);
    await kube('apply', '-f', 'gateways.json');
    await kube('delete', 'crd', 'gateways.gateway.networking.k8s.io', '--wait', '--timeout=30s');
    await isRefused(/the server (?:doesn't have a resource type|could not find)/, 'get', 'gtw');
    await kube('apply', '-f', 'gateways-definition.json');
    await kube('wait', '--for=condition=Established', 'crd/gateways.gateway.networking.k8s.io', '--timeout=30s');
    assert.equal(await kube('get', 'gtw', '-o', 'name'), '');
    await kube('apply', '-f', 'gateways.json');
    await kube('delete', 'crd', '--all', '--timeout=30s');
  });
});
