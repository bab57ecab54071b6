import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import { uidOf } from '../../../src/meta/object-meta.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { until } from '../until.ts';

const admissionPlugins = { enabled: ['ServiceAccount'], disabled: [] };
const namespace = '/api/v1/namespaces/n';
const tokenPath = '/var/run/secrets/cluster.io/serviceaccount';
const container = { name: 'c', image: 'i' };

function podOf(spec: JsonObject = {}, annotations: JsonObject = {}): JsonObject {
  return { metadata: { name: 'p', annotations }, spec: { containers: [container], ...spec } };
}

function messageOf({ body, text }: HttpResponse): string {
  assert(isJsonObject(body as JsonObject), text);
  return stringAt(body as JsonObject, 'message');
}

function specOf({ status, body, text }: HttpResponse): JsonObject {
  assert.ok(status < 300, text);
  return objectAt(body as JsonObject, 'spec');
}

describe('service accounts of Pods', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ admissionPlugins, store: 'memory' });
    await create('/api/v1/namespaces', { metadata: { name: 'n' } });
    await create(`${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
    await create(`${namespace}/serviceaccounts`, {
      metadata: { name: 'shy' },
      automountServiceAccountToken: false,
      imagePullSecrets: [{ name: 'pull' }, { name: 'pull2' }],
    });
    await create(`${namespace}/serviceaccounts`, {
      metadata: { name: 'strict', annotations: { 'cluster.io/enforce-mountable-secrets': 'true' } },
      secrets: [{ name: 'known' }],
      imagePullSecrets: [{ name: 'pull' }],
    });
  });
  after(() => server.stop());

  async function create(path: string, body: JsonObject): Promise<void> {
    const { status, text } = await request(server, 'POST', path, body);
    assert.equal(status, 201, text);
  }
  const tryPod = (pod: JsonObject): Promise<HttpResponse> =>
    request(server, 'POST', `${namespace}/pods?dryRun=All`, pod);

  it('default to the account default, whose token is mounted', async () => {
    const spec = specOf(await tryPod(podOf({ initContainers: [{ name: 'i', image: 'i' }] })));
    assert.equal(spec['serviceAccountName'], 'default');
    assert.equal(spec['serviceAccount'], 'default');
    const [volume, ...others] = objectsAt(spec, 'volumes');
    assert.deepEqual(others, []);
    const name = stringAt(volume ?? {}, 'name');
    assert.match(name, /^cl-api-access-[a-z0-9]{5}$/);
    assert.deepEqual(objectAt(volume ?? {}, 'projected'), {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'cluster-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 420,
    });
    for (const list of ['containers', 'initContainers']) {
      const [one] = objectsAt(spec, list);
      assert.deepEqual(one?.['volumeMounts'], [{ name, readOnly: true, mountPath: tokenPath }]);
    }
  });

  it('leave containers alone that mount something else there', async () => {
    const own = { name: 'own', mountPath: tokenPath };
    const spec = specOf(
      await tryPod(
        podOf({ containers: [{ ...container, volumeMounts: [own] }], volumes: [{ name: 'own', emptyDir: {} }] }),
      ),
    );
    assert.deepEqual(spec['volumes'], [{ name: 'own', emptyDir: {} }]);
    assert.deepEqual(objectsAt(spec, 'containers')[0]?.['volumeMounts'], [own]);
  });

  it('mount no token where the Pod or its account does not want it; the Pod decides', async () => {
    const shy = specOf(await tryPod(podOf({ serviceAccountName: 'shy' })));
    assert.equal(shy['volumes'], undefined);
    const willing = await tryPod(podOf({ serviceAccountName: 'shy', automountServiceAccountToken: true }));
    assert.equal(objectsAt(specOf(willing), 'volumes').length, 1);
    assert.equal(specOf(await tryPod(podOf({ automountServiceAccountToken: false })))['volumes'], undefined);
  });

  it('add the image pull secrets of the account, unless the Pod has its own', async () => {
    const spec = specOf(await tryPod(podOf({ serviceAccountName: 'shy' })));
    assert.deepEqual(spec['imagePullSecrets'], [{ name: 'pull' }, { name: 'pull2' }]);
    const own = specOf(await tryPod(podOf({ serviceAccountName: 'shy', imagePullSecrets: [{ name: 'mine' }] })));
    assert.deepEqual(own['imagePullSecrets'], [{ name: 'mine' }]);
  });

  it('must exist', async () => {
    const refused = await tryPod(podOf({ serviceAccountName: 'none' }));
    assert.equal(refused.status, 403);
    const why = 'error looking up service account n/none: serviceaccount "none" not found';
    assert.equal(messageOf(refused), `pods "p" is forbidden: ${why}`);
  });

  it('are waited for while the account of a new namespace is created', async () => {
    await create('/api/v1/namespaces', { metadata: { name: 'new' } });
    const pending = request(server, 'POST', '/api/v1/namespaces/new/pods', podOf());
    await sleep(150);
    await create('/api/v1/namespaces/new/serviceaccounts', { metadata: { name: 'default' } });
    assert.equal(specOf(await pending)['serviceAccountName'], 'default');
  });

  const limited: readonly (readonly [what: string, spec: JsonObject, message: string])[] = [
    [
      'volumes',
      { volumes: [{ name: 'v', secret: { secretName: 'x' } }] },
      'volume with secret.secretName="x" is not allowed because service account strict does not reference that secret',
    ],
    [
      'variables of init containers',
      { initContainers: [{ name: 'ic', image: 'i', env: [variable('x')] }] },
      'init container ic with envVar E referencing secret.secretName="x" is not allowed because service account strict does not reference that secret',
    ],
    [
      'sources of variables',
      { containers: [{ ...container, envFrom: [{ secretRef: { name: 'x' } }] }] },
      'container c with envFrom referencing secret.secretName="x" is not allowed because service account strict does not reference that secret',
    ],
    [
      'image pull secrets',
      { imagePullSecrets: [{ name: 'pull' }, { name: 'z' }] },
      'imagePullSecrets[1].name="z" is not allowed because service account strict does not reference that imagePullSecret',
    ],
  ];
  for (const [what, spec, message] of limited) {
    it(`may limit the secrets in ${what}`, async () => {
      const refused = await tryPod(podOf({ serviceAccountName: 'strict', ...spec }));
      assert.equal(refused.status, 403, refused.text);
      assert.equal(messageOf(refused), `pods "p" is forbidden: ${message}`);
    });
  }

  it('allow the secrets of their account', async () => {
    const spec: JsonObject = {
      serviceAccountName: 'strict',
      volumes: [{ name: 'v', secret: { secretName: 'known' } }],
      containers: [{ ...container, env: [variable('known')] }],
    };
    specOf(await tryPod(podOf(spec)));
  });

  it('limit the secrets of ephemeral containers too (CVE-2023-2728)', async () => {
    const pod: JsonObject = { ...podOf({ serviceAccountName: 'strict' }), metadata: { name: 'debugged' } };
    await create(`${namespace}/pods`, pod);
    const add = (secret: string, field: JsonObject): Promise<HttpResponse> => {
      const ephemeralContainers = [{ name: 'e', image: 'i', ...field }];
      const patch: JsonObject = { metadata: { annotations: { secret } }, spec: { ephemeralContainers } };
      const headers = { 'content-type': 'application/strategic-merge-patch+json' };
      return request(server, 'PATCH', `${namespace}/pods/debugged/ephemeralcontainers?dryRun=All`, patch, headers);
    };
    const end =
      'referencing secret.secretName="x" is not allowed because service account strict does not reference that secret';
    const byVariable = await add('x', { env: [variable('x')] });
    assert.equal(messageOf(byVariable), `pods "debugged" is forbidden: ephemeral container e with envVar E ${end}`);
    const bySource = await add('x', { envFrom: [{ secretRef: { name: 'x' } }] });
    assert.equal(messageOf(bySource), `pods "debugged" is forbidden: ephemeral container e with envFrom ${end}`);
    specOf(await add('known', { env: [variable('known')] }));
  });

  const mirrors: readonly (readonly [spec: JsonObject, message: string])[] = [
    [{ serviceAccountName: 'shy' }, 'a mirror pod may not reference service accounts'],
    [{ imagePullSecrets: [{ name: 's' }] }, 'a mirror pod may not reference secrets'],
    [
      { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
      'a mirror pod may not use ServiceAccountToken volume projections',
    ],
  ];
  it('are not given to mirror Pods, which lead to no secrets', async () => {
    const annotations = { 'cluster.io/config.mirror': 'x' };
    for (const [spec, message] of mirrors) {
      const refused = await tryPod(podOf({ nodeName: 'node', ...spec }, annotations));
      assert.equal(refused.status, 403, refused.text);
      assert.equal(messageOf(refused), `pods "p" is forbidden: ${message}`);
    }
    const spec = specOf(await tryPod(podOf({ nodeName: 'node' }, annotations)));
    assert.equal(spec['serviceAccountName'], undefined);
    assert.equal(spec['volumes'], undefined);
  });
});

function variable(secret: string): JsonObject {
  return { name: 'E', valueFrom: { secretKeyRef: { name: secret, key: 'k' } } };
}

describe('service accounts of Pods, before tokens were bound', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ admissionPlugins, emulatedRelease: '1.20', store: 'memory' });
    await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
  });
  after(() => server.stop());
  const tryPod = (spec: JsonObject): Promise<HttpResponse> =>
    request(server, 'POST', `${namespace}/pods?dryRun=All`, podOf({ serviceAccountName: 'a', ...spec }));

  it('mount the Secret of their account, once a controller has added one', async () => {
    const secrets = [{ name: 'plain' }, { name: 'a.token' }];
    const made = await request(server, 'POST', `${namespace}/serviceaccounts`, { metadata: { name: 'a' }, secrets });
    const refused = await tryPod({});
    assert.equal(refused.status, 500);
    assert.equal((refused.body as JsonObject)['reason'], 'ServerTimeout');
    assert.equal(
      messageOf(refused),
      'No API token found for service account "a", retry after the token is automatically created and added to the service account',
    );
    const owner = { name: 'a', uid: uidOf(made.body as JsonObject) };
    const annotations = { 'cluster.io/service-account.name': owner.name, 'cluster.io/service-account.uid': owner.uid };
    await request(server, 'POST', `${namespace}/secrets`, { metadata: { name: 'plain' } });
    await request(server, 'POST', `${namespace}/secrets`, {
      metadata: { name: 'a.token', annotations },
      type: 'cluster.io/service-account-token',
    });
    await until('the plugin knows the token', async () => (await tryPod({})).status === 201);
    const secret = { secretName: 'a.token', defaultMode: 420 };
    const spec = specOf(await tryPod({}));
    assert.deepEqual(spec['volumes'], [{ name: 'a-token', secret }]);
    const taken = specOf(await tryPod({ volumes: [{ name: 'a-token', emptyDir: {} }] }));
    const added = objectsAt(taken, 'volumes')[1] ?? {};
    assert.match(stringAt(added, 'name'), /^a-token-[a-z0-9]{5}$/);
    assert.deepEqual(added['secret'], secret);
    const own = specOf(await tryPod({ volumes: [{ name: 'own', secret: { secretName: 'a.token' } }] }));
    assert.equal(objectsAt(own, 'volumes').length, 1);
    const [mount] = objectsAt(objectsAt(own, 'containers')[0] ?? {}, 'volumeMounts');
    assert.equal(mount?.['name'], 'own');
  });
});
