import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, stringAt } from '../../../src/meta/read-field.ts';
import { labelsOf } from '../../../src/meta/object-meta.ts';
import { request } from '../http-client.ts';
import { type ClRunner, createClRunner } from './cl-runner.ts';

describe('cl, writing', () => {
  let server: TestServer;
  let cl: ClRunner;
  before(async () => {
    server = await startServer();
    cl = await createClRunner(server);
    await cl.run('create deployment web --image=nginx --replicas=2');
    await cl.run('create configmap settings --from-literal=colour=blue');
  });
  after(async () => {
    await server.stop();
    await cl.remove();
  });

  const get = async (path: string): Promise<JsonObject> => (await request(server, 'GET', path)).body as JsonObject;
  const web = () => get('/apis/apps/v1/namespaces/default/deployments/web');
  const says = async (line: string, out: string, ...more: string[]) =>
    assert.deepEqual(await cl.run(line, ...more), { code: 0, out, err: '' });

  it('makes objects from flags, and shows them without creating them', async () => {
    const shown = await cl.run(
      'create role reader --verb=get,list --resource=pods,deployments.apps --dry-run=client -o json',
    );
    assert.deepEqual((JSON.parse(shown.out) as JsonObject).rules, [
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] },
    ]);
    assert.equal((await cl.run('get role reader')).code, 1);
    assert.match(
      (await cl.run('create secret generic login --from-literal=a=b --append-hash')).out,
      /^secret\/login-\w{10} created$/m,
    );
    await says('create serviceaccount bot', 'serviceaccount/bot created\n');
    assert.match((await cl.run('create token bot --duration=10m')).out, /^[^.\n]+\.[^.\n]+\.[^.\n]+$/);
    assert.equal((await cl.run('create token bot -o name')).out, `tokenrequest.authentication.cl.io/bot\n`);
    assert.equal((await cl.run('create token bot --template={{.kind}} --show-managed-fields')).out, 'TokenRequest');
    const rule = await cl.run('create rolebinding b --clusterrole=view --user=ann --dry-run=client -o json');
    assert.match(rule.out, /"name": "ann"/);
    assert.match((await cl.run('create deployment a')).err, /image/);
  });

  it('sets and removes labels and annotations, and asks before it changes one', async () => {
    await says('label deployment web tier=front', 'deployment.apps/web labeled\n');
    await says('label deployment web tier=front', 'deployment.apps/web not labeled\n');
    assert.match((await cl.run('label deployment web tier=back')).err, /already has a value \(front\).*--overwrite/);
    await says('label deployment/web tier=back --overwrite', 'deployment.apps/web labeled\n');
    assert.equal(labelsOf(await web()).tier, 'back');
    await says('label deployment web tier-', 'deployment.apps/web unlabeled\n');
    await says('annotate configmap settings note=x', 'configmap/settings annotated\n');
    await says('annotate configmap settings --list', 'note=x\n');
    await cl.write('local.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: local}\n');
    assert.match((await cl.run('label -f local.yaml a=b --local -o yaml')).out, /^ {4}a: b$/m);
  });

  it('scales, if there are as many as is said', async () => {
    await says('scale deployment web --replicas=3', 'deployment.apps/web scaled\n');
    assert.equal(objectAt(await web(), 'spec').replicas, 3);
    assert.match((await cl.run('scale deployment web --replicas=1 --current-replicas=9')).err, /to be 9, was 3/);
    assert.match((await cl.run('scale configmap settings --replicas=1')).err, /^(?:error|Error)/);
  });

  it('patches with the three types, also sub-resources', async () => {
    await says('patch deployment web -p', 'deployment.apps/web patched\n', '{"spec":{"replicas":1}}');
    await says('patch deployment web -p', 'deployment.apps/web patched (no change)\n', '{"spec":{"replicas":1}}');
    const operation = '[{"op":"replace","path":"/spec/replicas","value":2}]';
    await says('patch deployment web --type=json -p', 'deployment.apps/web patched\n', operation);
    await says(
      'patch deployment web --subresource=scale --type=merge -p',
      'scale.autoscaling/web patched\n',
      '{"spec":{"replicas":4}}',
    );
    assert.equal(objectAt(await web(), 'spec').replicas, 4);
    assert.match((await cl.run('patch deployment web -p', '{"spec":')).err, /neither JSON nor YAML/);
  });

  it('sets images, variables, resources and accounts of containers', async () => {
    await says('set image deployment/web nginx=nginx:2', 'deployment.apps/web image updated\n');
    await says('set env deployment/web LEVEL=debug', 'deployment.apps/web env updated\n');
    await says('set env deployment/web --list', '# Deployment web, container nginx\nLEVEL=debug\n');
    const misnamed = await cl.run('set env deployment/web 1LEVEL=debug');
    assert.match(misnamed.err, /"1LEVEL" is not a valid key name: a valid environment variable name must/);
    const from = await cl.run('set env deployment/web --from=configmap/settings --prefix=APP_');
    assert.deepEqual(
      [from.out, from.err],
      ['deployment.apps/web env updated\n', 'Warning: key colour transferred to COLOUR\n'],
    );
    await says('set resources deployment/web --limits=cpu=1', 'deployment.apps/web resource requirements updated\n');
    await says('set serviceaccount deployment web bot', 'deployment.apps/web serviceaccount updated\n');
    const pod = objectAt(await web(), 'spec', 'template', 'spec');
    assert.equal(stringAt(pod, 'serviceAccountName'), 'bot');
    const [container] = pod.containers as JsonObject[];
    assert.deepEqual(container?.env, [
      { name: 'LEVEL', value: 'debug' },
      { name: 'APP_COLOUR', valueFrom: { configMapKeyRef: { key: 'colour', name: 'settings' } } },
    ]);
    assert.match((await cl.run('set image deployment/web nosuch=x')).err, /the containers are nginx/);
  });

  it('creates services and autoscalers for objects', async () => {
    await says('expose deployment web --port=80 --target-port=8080', 'service/web exposed\n');
    await says('autoscale deployment web --max=5 --cpu=70%', 'horizontalpodautoscaler.autoscaling/web autoscaled\n');
    const { spec } = await get('/api/v1/namespaces/default/services/web');
    assert.deepEqual(objectAt({ spec: spec ?? null }, 'spec').selector, { app: 'web' });
  });

  it('replaces objects, by force after deleting them', async () => {
    await cl.write('cm.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: replaced}\ndata: {a: b}\n');
    assert.match((await cl.run('replace -f cm.yaml')).err, /not found/);
    await says('create -f cm.yaml', 'configmap/replaced created\n');
    await says('replace -f cm.yaml', 'configmap/replaced replaced\n');
    const out = 'configmap "replaced" deleted from default namespace\nconfigmap/replaced replaced\n';
    await says('replace --force -f cm.yaml', out);
  });

  it('deletes, waits, and says which finalizer holds an object', async () => {
    await says(
      'delete configmap replaced --dry-run=client',
      'configmap "replaced" deleted from default namespace (dry run)\n',
    );
    await says('delete configmap replaced', 'configmap "replaced" deleted from default namespace\n');
    await says('delete configmap replaced --ignore-not-found', '');
    assert.equal((await cl.run('delete configmap replaced')).code, 1);
    const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
    await request(server, 'POST', '/api/v1/namespaces/default/configmaps', held);
    const waited = await cl.run('delete configmap held --timeout=100ms');
    assert.match(waited.err, /timed out waiting .*held by finalizer example\.com\/hold/);
    assert.equal((await cl.pipe('n\n', 'delete configmap settings -i')).code, 0);
    await says('get configmap settings -o name', 'configmap/settings\n');
    assert.match((await cl.run('delete configmap')).err, /no name was specified/);
  });

  it('cordons and taints nodes', async () => {
    await request(server, 'POST', '/api/v1/nodes', { metadata: { name: 'one' } });
    await says('cordon one', 'node/one cordoned\n');
    await says('cordon node/one', 'node/one already cordoned\n');
    await says('uncordon one', 'node/one uncordoned\n');
    await says('taint nodes one team=data:NoSchedule', 'node/one tainted\n');
    assert.match((await cl.run('taint nodes one team=web:NoSchedule')).err, /--overwrite/);
    await says('taint nodes one team-', 'node/one untainted\n');
    assert.doesNotMatch((await cl.run('get node one -o yaml')).out, /key: team/);
  });

  it('evicts the pods of a node that is drained, once flags allow it', async () => {
    await request(server, 'POST', '/api/v1/namespaces/default/pods', {
      metadata: { name: 'alone' },
      spec: { nodeName: 'one', terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }] },
    });
    assert.match((await cl.run('drain one')).err, /default\/alone would not be created again .*--force/);
    const drained = await cl.run('drain one --force --grace-period=0 --timeout=20s');
    assert.equal(drained.code, 0, drained.err);
    assert.match(drained.out, /^evicting pod default\/alone\npod\/alone evicted\nnode\/one drained\n$/m);
  });
});
