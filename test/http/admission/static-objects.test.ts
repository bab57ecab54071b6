import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { answer, startTlsServer } from '../../unit/outbound/start-tls-server.ts';
import { create, messageOf, mutatingPolicy, policyRule, warningsOf, writeMap } from './policy-world.ts';

const apiVersion = 'admissionregistration.cl.io/v1';
const config = 'apiserver.config.cl.io/v1';
const policies = `/apis/${apiVersion}/validatingadmissionpolicies`;
const suffix = '.static.cl.io';

function policy(name: string, expression: string, resources = ['configmaps'], apiGroups = ['']): object {
  const matchConstraints = { resourceRules: [policyRule(resources, { apiGroups })] };
  const spec = { matchConstraints, validations: [{ expression }] };
  return { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name: `${name}${suffix}` }, spec };
}

function binding(name: string, spec: object = {}): object {
  return {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: `${name}${suffix}` },
    spec: { policyName: `${name}${suffix}`, validationActions: ['Deny'], ...spec },
  };
}

/** An expression that adds a text to the order of a ConfigMap. */
function appending(text: string): string {
  return `Object{data: {"order": object.data.order + "${text}"}}`;
}

function mutation(name: string, text: string): object {
  const matchConstraints = { resourceRules: [policyRule(['configmaps'])] };
  const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: appending(text) } }];
  const spec = { matchConstraints, mutations, reinvocationPolicy: 'Never' };
  return { apiVersion, kind: 'MutatingAdmissionPolicy', metadata: { name: `${name}${suffix}` }, spec };
}

interface StaticWebhook extends AsyncDisposable {
  readonly configuration: object;
}

/** A webhook that adds data to ConfigMaps, and its configuration. */
async function staticWebhook(): Promise<StaticWebhook> {
  const hooks = await startTlsServer();
  const value = Buffer.from(JSON.stringify([{ op: 'add', path: '/data/hook', value: 'yes' }])).toString('base64');
  hooks.handle = ({ body }, response) => {
    const { apiVersion: version, request: asked } = JSON.parse(body) as {
      apiVersion: string;
      request: { uid: string };
    };
    const fields = { uid: asked.uid, allowed: true, patchType: 'JSONPatch', patch: value };
    return answer(response, 200, { kind: 'AdmissionReview', apiVersion: version, response: fields });
  };
  const { server, ca = '' } = hooks.settings;
  const webhook = {
    name: 'hook.example.com',
    rules: [policyRule(['configmaps'])],
    clientConfig: { url: server, caBundle: Buffer.from(ca).toString('base64') },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const metadata = { name: `hooks${suffix}` };
  const configuration = { apiVersion, kind: 'MutatingWebhookConfiguration', metadata, webhooks: [webhook] };
  return { configuration, [Symbol.asyncDispose]: () => hooks.stop() };
}

describe('policies of files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cl-static-'));
    await mkdir(path.join(folder, 'manifests'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (name: string, objects: readonly object[]): Promise<void> =>
    writeFile(path.join(folder, 'manifests', name), objects.map((one) => JSON.stringify(one)).join('\n---\n'));

  async function start(gate = true): Promise<TestServer> {
    const admissionControlConfigFile = path.join(folder, 'admission.yaml');
    const staticManifestsDir = path.join(folder, 'manifests');
    const configuration = { apiVersion: config, kind: 'ValidatingAdmissionPolicyConfiguration', staticManifestsDir };
    const plugins = [{ name: 'ValidatingAdmissionPolicy', configuration }];
    await writeFile(
      admissionControlConfigFile,
      JSON.stringify({ apiVersion: config, kind: 'AdmissionConfiguration', plugins }),
    );
    const featureGates = [`ManifestBasedAdmissionControlConfig=${gate}`];
    return startServer({ emulatedRelease: '1.36', admissionControlConfigFile, featureGates, certificateReloadMs: 20 });
  }

  it('decide on all objects, also on other policies, and follow their files', async () => {
    const list = { apiVersion: 'v1', kind: 'List', items: [policy('a', 'object.metadata.name != "x"'), binding('a')] };
    await write('a.yaml', [list]);
    const guard = policy('b', 'object.metadata.name != "y"', ['validatingadmissionpolicies'], ['*']);
    await write('b.json', [guard, binding('b')]);
    await using server = await start();
    assert.match(
      messageOf(await writeMap(server, 'x')),
      /'a.static.cl.io' with binding 'a.static.cl.io' denied request/,
    );
    const other = policy('unused', 'true') as { spec: object };
    const refused = await request(server, 'POST', policies, { metadata: { name: 'y' }, spec: other.spec });
    assert.match(messageOf(refused), /'b.static.cl.io' with binding/);
    await create(server, policies, { metadata: { name: 'z' }, spec: other.spec });
    const reserved = await request(server, 'POST', policies, { metadata: { name: `c${suffix}` }, spec: other.spec });
    assert.equal(reserved.status, 422);
    assert.match(messageOf(reserved), /names ending with ".static.cl.io" are reserved for static manifest-based/);
    await write('a.yaml', [policy('a', 'object.metadata.name != "w"'), binding('a')]);
    await until(
      'the files are read',
      async () => (await writeMap(server, 'w')).status === 422 && (await writeMap(server, 'x')).status === 201,
    );
    // An unusable file changes nothing.
    await write('a.yaml', [policy('a', 'object.metadata.'), binding('a')]);
    await until('the files are read', async () =>
      /plugin="ValidatingAdmissionPolicy",status="failure"/.test(await metricsOf(server)),
    );
    assert.equal((await writeMap(server, 'w')).status, 422);
    assert.match(
      await metricsOf(server),
      /last_config_info\{apiserver_id_hash="sha256:.*plugin="ValidatingAdmissionPolicy"/,
    );
  });

  for (const [why, objects, message] of [
    ['has another name', [{ ...policy('a', 'true'), metadata: { name: 'a' } }], /must have a name ending with/],
    ['has a name twice', [policy('a', 'true'), policy('a', 'true')], /duplicate name "a.static.cl.io" found in file/],
    ['is bound to nothing', [binding('a')], /references policy "a.static.cl.io" which does not exist in the manifest/],
    [
      'has parameters',
      [policy('a', 'true'), binding('a', { paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } })],
      /spec.paramRef is not supported/,
    ],
    ['does not compile', [policy('a', 'nothing')], /undeclared reference to 'nothing'/],
    ['has an unknown field', [{ ...policy('a', 'true'), spek: {} }], /unknown field "spek"/],
    [
      'is of another kind',
      [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }],
      /unsupported resource type/,
    ],
  ] as const) {
    it(`keep a server from its start if one of them ${why}`, async () => {
      await write('a.yaml', objects);
      await assert.rejects(start(), message);
    });
  }

  it('change objects and call webhooks, before those of the API, by their names; a policy runs again after a webhook', async () => {
    await using hooks = await staticWebhook();
    const files = [
      [
        'MutatingAdmissionPolicy',
        'MutatingAdmissionPolicyConfiguration',
        [
          mutation('a', 'ab'),
          { ...mutation('c', 'cd') },
          ...['a', 'c'].map((name) => ({
            ...binding(name),
            kind: 'MutatingAdmissionPolicyBinding',
            spec: { policyName: `${name}${suffix}` },
          })),
        ],
      ],
      ['MutatingAdmissionWebhook', 'WebhookAdmissionConfiguration', [hooks.configuration]],
    ] as const;
    const plugins: object[] = [];
    for (const [name, kind, objects] of files) {
      const staticManifestsDir = path.join(folder, name);
      await mkdir(staticManifestsDir);
      await writeFile(
        path.join(staticManifestsDir, 'a.yaml'),
        objects.map((one) => JSON.stringify(one)).join('\n---\n'),
      );
      plugins.push({ name, configuration: { apiVersion: config, kind, staticManifestsDir } });
    }
    const admissionControlConfigFile = path.join(folder, 'admission.yaml');
    const configuration = { apiVersion: config, kind: 'AdmissionConfiguration', plugins };
    await writeFile(admissionControlConfigFile, JSON.stringify(configuration));
    const featureGates = ['ManifestBasedAdmissionControlConfig=true'];
    await using server = await startServer({ emulatedRelease: '1.36', admissionControlConfigFile, featureGates });
    await mutatingPolicy(server, 'b', {
      mutations: [appending('b')],
      spec: { matchConditions: [], reinvocationPolicy: 'IfNeeded' },
    });
    const { body } = await create(server, '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'x' },
      data: { order: '' },
    });
    assert.deepEqual((body as { data: object }).data, { order: 'abcdbb', hook: 'yes' });
  });

  it('need their feature gate, without which their names are warned of', async () => {
    await assert.rejects(start(false), /requires the ManifestBasedAdmissionControlConfig feature gate to be enabled/);
    await using server = await startServer({ emulatedRelease: '1.36' });
    const { spec } = policy('a', 'true') as { spec: object };
    const created = await create(server, policies, { metadata: { name: `a${suffix}` }, spec });
    assert.match(warningsOf(created).join(' '), /names ending with ".static.cl.io" are reserved/);
  });
});

async function metricsOf(server: TestServer): Promise<string> {
  return (await request(server, 'GET', '/metrics')).text;
}
