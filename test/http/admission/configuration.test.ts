import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';

const admissionPlugins = { enabled: ['PodNodeSelector', 'PodTolerationRestriction'], disabled: [] };
const tolerations = [{ key: 'dedicated', operator: 'Exists' }];

describe('the configuration of admission plugins', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cl-admission-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function fileOf(name: string, content: string | JsonObject): Promise<string> {
    const file = path.join(folder, name);
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  const start = async (content: string | JsonObject, options: TestServerOptions = {}): Promise<TestServer> =>
    startServer({
      admissionPlugins,
      store: 'memory',
      ...options,
      admissionControlConfigFile: await fileOf('admission.yaml', content),
    });

  for (const [identifiers, apiVersion] of [
    ['cluster', 'apiserver.config.cl.io/v1'],
    ['cluster', 'apiserver.cl.io/v1alpha1'],
    ['kubernetes', 'apiserver.config.k8s.io/v1'],
  ] as const) {
    it(`is embedded, or in a file beside, in ${apiVersion}`, async () => {
      await fileOf('selectors.yaml', 'podNodeSelectorPluginConfig:\n  clusterDefaultNodeSelector: disk=ssd\n');
      const plugins: JsonObject[] = [
        { name: 'PodNodeSelector', path: 'selectors.yaml' },
        {
          name: 'PodTolerationRestriction',
          configuration: {
            apiVersion: `podtolerationrestriction.admission.${identifiers === 'cluster' ? 'cl.io' : 'k8s.io'}/v1alpha1`,
            kind: 'Configuration',
            default: tolerations,
          },
        },
      ];
      await using server = await start({ apiVersion, kind: 'AdmissionConfiguration', plugins }, { identifiers });
      const spec = await createdSpec(server, { metadata: { name: 'p' }, spec: onePause });
      assert.deepEqual(objectAt(spec, 'nodeSelector'), { disk: 'ssd' });
      assert.ok(objectsAt(spec, 'tolerations').some((toleration) => stringAt(toleration, 'key') === 'dedicated'));
    });
  }

  it('limits what Pods of a namespace select, and the tolerations of all', async () => {
    const apiVersion = 'apiserver.config.cl.io/v1';
    const plugins: JsonObject[] = [
      { name: 'PodNodeSelector', configuration: { podNodeSelectorPluginConfig: { default: 'disk=ssd' } } },
      {
        name: 'PodTolerationRestriction',
        configuration: {
          apiVersion: 'podtolerationrestriction.admission.cl.io/v1alpha1',
          kind: 'Configuration',
          whitelist: [...tolerations, { operator: 'Exists', effect: 'NoExecute' }],
        },
      },
    ];
    await using server = await start({ apiVersion, kind: 'AdmissionConfiguration', plugins });
    const statusOf = async (name: string, spec: JsonObject) =>
      request(server, 'POST', '/api/v1/namespaces/default/pods', {
        metadata: { name },
        spec: { ...onePause, ...spec },
      });
    const wrongDisk = await statusOf('a', { nodeSelector: { disk: 'tape' } });
    assert.equal(wrongDisk.status, 403, wrongDisk.text);
    assert.match(wrongDisk.text, /pod node label selector labels conflict with its namespace whitelist/);
    const wrongToleration = await statusOf('b', { tolerations: [{ key: 'other', operator: 'Exists' }] });
    assert.equal(wrongToleration.status, 403, wrongToleration.text);
    assert.match(wrongToleration.text, /conflict with its cluster whitelist/);
    const allowed = await statusOf('c', { nodeSelector: { disk: 'ssd' }, tolerations });
    assert.equal(allowed.status, 201, allowed.text);
  });

  it('can be given without a file', async () => {
    const configuration = { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b' } };
    await using server = await startServer({
      admissionPlugins,
      store: 'memory',
      admissionConfigurations: { PodNodeSelector: configuration },
      defaultNotReadyTolerationSeconds: 7,
      defaultUnreachableTolerationSeconds: 0,
    });
    const spec = await createdSpec(server, { metadata: { name: 'p' }, spec: onePause });
    assert.deepEqual(objectAt(spec, 'nodeSelector'), { a: 'b' });
    assert.deepEqual(
      objectsAt(spec, 'tolerations').map(({ tolerationSeconds }) => tolerationSeconds),
      [7, 0],
    );
  });

  const kind = 'AdmissionConfiguration';
  const apiVersion = 'apiserver.config.cl.io/v1';
  const refused: readonly (readonly [title: string, content: string | JsonObject, error: RegExp])[] = [
    [
      'another kind',
      { apiVersion, kind: 'Other' },
      /kind AdmissionConfiguration of apiserver\.config\.cl\.io\/v1, apise/,
    ],
    ['text that is not YAML', 'a: [', /admission\.yaml: not valid YAML/],
    ['an unknown field', { apiVersion, kind, plugin: [] }, /plugin: Forbidden: unknown field/],
    [
      'an unknown plugin',
      { apiVersion, kind, plugins: [{ name: 'Zork' }] },
      /plugins\[0\]\.name: Unsupported value: "Zork"/,
    ],
    [
      'a plugin twice',
      { apiVersion, kind, plugins: [{ name: 'Priority' }, { name: 'Priority' }] },
      /plugins\[1\]\.name: Duplicate value: "Priority"/,
    ],
    [
      'a file that is missing',
      { apiVersion, kind, plugins: [{ name: 'Priority', path: 'nowhere.yaml' }] },
      /the configuration of Priority: ENOENT/,
    ],
    [
      'a configuration that its plugin refuses',
      {
        apiVersion,
        kind,
        plugins: [
          {
            name: 'PodNodeSelector',
            configuration: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a' } },
          },
        ],
      },
      /admission plugin PodNodeSelector: podNodeSelectorPluginConfig\.clusterDefaultNodeSelector: invalid selector/,
    ],
  ];
  const tolerationKind = { apiVersion: 'podtolerationrestriction.admission.cl.io/v1alpha1', kind: 'Configuration' };
  const faults: readonly (readonly [plugin: string, configuration: JsonObject, error: RegExp])[] = [
    ['PodTolerationRestriction', { default: [] }, /kind Configuration of podtolerationrestriction.* was expected/],
    [
      'PodTolerationRestriction',
      { ...tolerationKind, default: [{ key: 'a', operator: 'Foo' }], whitelist: [{ operator: 'Equal' }] },
      /default\[0\]\.operator: Unsupported value: "Foo".*; whitelist\[0\]\.operator: Invalid value: "Equal"/,
    ],
    [
      'PodTolerationRestriction',
      { ...tolerationKind, whitelist: { key: 'a' }, more: 1 },
      /more: Forbidden: unknown field; whitelist: Invalid value: .*: must be a list of tolerations/,
    ],
    [
      'PodTolerationRestriction',
      { ...tolerationKind, default: [{ key: 5, operator: 'Exists' }] },
      /default: Invalid value: .*: must be a list of tolerations/,
    ],
    ['MutatingAdmissionWebhook', { apiVersion, kind: 'Foo' }, /kind WebhookAdmissionConfiguration of .* was expected/],
    [
      'ValidatingAdmissionWebhook',
      { apiVersion, kind: 'WebhookAdmissionConfiguration', file: '/a' },
      /file: Forbidden: unknown field/,
    ],
  ];
  for (const [name, configuration, error] of faults) {
    it(`refuses to start with a configuration of ${name}: ${error.source}`, () =>
      assert.rejects(start({ apiVersion, kind, plugins: [{ name, configuration }] }), error));
  }
  for (const [title, content, error] of refused) {
    it(`refuses to start with ${title}`, async () => {
      await assert.rejects(start(content), error);
    });
  }
});

const onePause = { containers: [{ name: 'c', image: 'pause' }] };

async function createdSpec(server: TestServer, pod: JsonObject): Promise<JsonObject> {
  const { status, body, text } = await request(server, 'POST', '/api/v1/namespaces/default/pods', pod);
  assert.equal(status, 201, text);
  const created: unknown = body;
  const value = created as JsonObject;
  assert.ok(isJsonObject(value));
  return objectAt(value, 'spec');
}
