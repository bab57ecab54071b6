import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';

const label = 'pod-security.cluster.io';
const labels = (of: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [`${label}/${name}`, value]));

const pod = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'x' }], ...spec },
});
const hostPid: JsonObject = { hostPID: true };
const violation = 'host namespaces (hostPID=true)';

/** A server with namespaces by name, and calls to it. */
class Story implements AsyncDisposable {
  readonly server: TestServer;

  constructor(server: TestServer) {
    this.server = server;
  }

  static async start(options: TestServerOptions = {}): Promise<Story> {
    return new Story(await startServer({ store: 'memory', ...options }));
  }

  namespace(name: string, of: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    return request(this.server, 'POST', '/api/v1/namespaces', { metadata: { name, labels: labels(of) } });
  }

  label(name: string, of: Readonly<Record<string, string>>): Promise<HttpResponse> {
    const type = { 'content-type': 'application/merge-patch+json' };
    return request(this.server, 'PATCH', `/api/v1/namespaces/${name}`, { metadata: { labels: labels(of) } }, type);
  }

  createPod(namespace: string, name: string, spec?: JsonObject, token = this.server.token): Promise<HttpResponse> {
    return request({ ...this.server, token }, 'POST', `/api/v1/namespaces/${namespace}/pods`, pod(name, spec));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.stop();
  }
}

const messageOf = ({ body }: HttpResponse): string => (body as { message: string }).message;

/** The texts of the warnings of an answer. */
function warningsOf({ headers }: HttpResponse): readonly string[] {
  const given = headers['warning'] ?? [];
  const all = Array.isArray(given) ? given.join(', ') : given;
  return [...all.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replaceAll('\\"', '"'));
}

describe('Pod security', () => {
  it('does nothing in namespaces without labels', async () => {
    await using story = await Story.start();
    const response = await story.createPod('default', 'p', hostPid);
    assert.deepEqual([response.status, warningsOf(response)], [201, []]);
  });

  it('refuses Pods that violate the enforced level, at its version', async () => {
    await using story = await Story.start();
    await story.namespace('n', { enforce: 'baseline', 'enforce-version': 'v1.20' });
    assert.equal((await story.createPod('n', 'good')).status, 201);
    const refused = await story.createPod('n', 'p', hostPid);
    assert.equal(refused.status, 403);
    assert.equal(messageOf(refused), `pods "p" is forbidden: violates PodSecurity "baseline:v1.20": ${violation}`);
    assert.deepEqual(warningsOf(refused), []);
  });

  it('warns of Pods and templates at the level of warnings', async () => {
    await using story = await Story.start();
    await story.namespace('n', { enforce: 'privileged', warn: 'baseline', audit: 'restricted' });
    const warning = `would violate PodSecurity "baseline:latest": ${violation}`;
    const created = await story.createPod('n', 'p', hostPid);
    assert.deepEqual([created.status, warningsOf(created)], [201, [warning]]);
    const selector = { matchLabels: { a: 'b' } };
    const template = { metadata: { labels: { a: 'b' } }, spec: pod('', hostPid)['spec'] ?? null };
    const job = {
      spec: { template: { spec: { ...(pod('', hostPid)['spec'] as JsonObject), restartPolicy: 'Never' } } },
    };
    for (const [path, spec] of [
      ['/apis/apps/v1/namespaces/n/deployments', { selector, template }],
      ['/apis/apps/v1/namespaces/n/replicasets', { selector, template }],
      ['/apis/apps/v1/namespaces/n/daemonsets', { selector, template }],
      ['/apis/apps/v1/namespaces/n/statefulsets', { selector, template, serviceName: 's' }],
      ['/api/v1/namespaces/n/replicationcontrollers', { selector: { a: 'b' }, template }],
      ['/apis/batch/v1/namespaces/n/jobs', job.spec],
      ['/apis/batch/v1/namespaces/n/cronjobs', { schedule: '* * * * *', jobTemplate: job }],
    ] as const) {
      const response = await request(story.server, 'POST', path, { metadata: { name: 'o' }, spec });
      assert.deepEqual([response.status, warningsOf(response)], [201, [warning]], `${path}: ${response.text}`);
    }
    const podTemplate = await request(story.server, 'POST', '/api/v1/namespaces/n/podtemplates', {
      metadata: { name: 'o' },
      template,
    });
    assert.deepEqual([podTemplate.status, warningsOf(podTemplate)], [201, [warning]]);
  });

  it('enforces nothing on templates', async () => {
    await using story = await Story.start();
    await story.namespace('n', { enforce: 'restricted' });
    const template = { metadata: { labels: { a: 'b' } }, spec: pod('', hostPid)['spec'] ?? null };
    const response = await request(story.server, 'POST', '/apis/apps/v1/namespaces/n/deployments', {
      metadata: { name: 'o' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    });
    assert.deepEqual([response.status, warningsOf(response)], [201, []]);
  });

  it('checks updates of Pods that bring images or ephemeral containers, and lets others pass', async () => {
    await using story = await Story.start();
    await story.namespace('n');
    await story.createPod('n', 'p', hostPid);
    await story.label('n', { enforce: 'baseline' });
    const type = { 'content-type': 'application/strategic-merge-patch+json' };
    const patch = (body: JsonObject, subresource = '') =>
      request(story.server, 'PATCH', `/api/v1/namespaces/n/pods/p${subresource}`, body, type);
    assert.equal((await patch({ metadata: { labels: { a: 'b' } } })).status, 200);
    assert.equal((await patch({ status: { phase: 'Running' } }, '/status')).status, 200);
    const ephemeralContainers = [{ name: 'e', image: 'x', terminationMessagePolicy: 'File', imagePullPolicy: 'Never' }];
    for (const response of [
      await patch({ spec: { containers: [{ name: 'c', image: 'y' }] } }),
      await patch({ spec: { ephemeralContainers } }, '/ephemeralcontainers'),
    ]) {
      assert.equal(response.status, 403, response.text);
      assert.match(messageOf(response), /violates PodSecurity "baseline:latest": host namespaces/);
    }
  });

  it('refuses labels that are no level or version, unless they were there', async () => {
    await using story = await Story.start();
    const refused = await story.namespace('n', { enforce: 'strict', 'warn-version': '1.23' });
    assert.equal(refused.status, 422);
    assert.equal(
      messageOf(refused),
      `Namespace "n" is invalid: [metadata.labels[${label}/enforce]: Invalid value: "strict": ` +
        'must be one of privileged, baseline, restricted, ' +
        `metadata.labels[${label}/warn-version]: Invalid value: "1.23": must be "latest" or "v1.x"]`,
    );
    assert.equal((await story.namespace('n', { enforce: 'baseline' })).status, 201);
    assert.equal((await story.label('n', { enforce: '' })).status, 422);
    assert.equal((await story.label('n', { enforce: 'privileged', 'enforce-version': 'v1.99' })).status, 200);
  });

  it('warns of existing Pods that violate a stricter level', async () => {
    await using story = await Story.start();
    await story.namespace('n');
    for (const name of ['c', 'a', 'b']) await story.createPod('n', name, hostPid);
    await story.createPod('n', 'd', { hostNetwork: true, hostIPC: true, containers: [privilegedContainer] });
    await story.createPod('n', 'e');
    const response = await story.label('n', { enforce: 'baseline' });
    assert.equal(response.status, 200);
    assert.deepEqual(warningsOf(response), [
      'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
      'a (and 2 other pods): host namespaces',
      'd: host namespaces, privileged',
    ]);
    assert.deepEqual(warningsOf(await story.label('n', { warn: 'baseline' })), [], 'not of levels that do not refuse');
    assert.deepEqual(warningsOf(await story.label('n', { enforce: 'privileged' })), [], 'not of a looser level');
  });

  const configuration = (rest: JsonObject): JsonObject => ({
    apiVersion: 'pod-security.admission.config.cl.io/v1',
    kind: 'PodSecurityConfiguration',
    ...rest,
  });

  it('has defaults and exemptions in its configuration', async () => {
    const tokens = [{ token: 'deployer', username: 'deployer', groups: ['system:masters'] }];
    const exemptions = { usernames: ['deployer'], namespaces: ['cl-system'], runtimeClasses: ['sandbox'] };
    const defaults = { enforce: 'baseline', 'enforce-version': 'v1.22', warn: 'restricted' };
    const admissionConfigurations = { PodSecurity: configuration({ defaults, exemptions }) };
    await using story = await Story.start({ tokens, admissionConfigurations });
    const refused = await story.createPod('default', 'p', hostPid);
    assert.match(messageOf(refused), /violates PodSecurity "baseline:v1.22"/);
    const classes = `/apis/node.cl.io/v1/runtimeclasses`;
    await request(story.server, 'POST', classes, { metadata: { name: 'sandbox' }, handler: 'h' });
    for (const response of [
      await story.createPod('default', 'a', hostPid, 'deployer'),
      await story.createPod('cl-system', 'b', hostPid),
      await story.createPod('default', 'c', { ...hostPid, runtimeClassName: 'sandbox' }),
    ]) {
      assert.deepEqual([response.status, warningsOf(response)], [201, []], response.text);
    }
    assert.deepEqual(warningsOf(await story.label('cl-system', { enforce: 'restricted', warn: 'privileged' })), [
      'namespace "cl-system" is exempt from Pod Security, and the policy (enforce=restricted:v1.22) will be ignored',
    ]);
    const { counters } = await evaluations(story.server);
    assert.equal(counters['pod_security_exemptions_total'], 3);
  });

  it('refuses a configuration with mistakes, and names them', async () => {
    const wrong = configuration({
      defaults: { enforce: 'strict', 'warn-version': 'x', audits: '' },
      exemptions: { namespaces: ['a', 'a', 'A'], usernames: [''] },
    });
    await assert.rejects(Story.start({ admissionConfigurations: { PodSecurity: wrong } }), (error: Error) => {
      for (const text of [
        'defaults.enforce: Invalid value: "strict": must be one of privileged, baseline, restricted',
        'defaults.warn-version: Invalid value: "x"',
        'defaults.audits: Forbidden: unknown field',
        'exemptions.namespaces[1]: Duplicate value: "a"',
        'exemptions.namespaces[2]: Invalid value: "A"',
        'exemptions.usernames[0]: Required value',
      ]) {
        assert.ok(error.message.includes(text), `${text} in ${error.message}`);
      }
      return true;
    });
    const other = { apiVersion: 'v1', kind: 'PodSecurityConfiguration' };
    await assert.rejects(
      Story.start({ admissionConfigurations: { PodSecurity: other } }),
      /kind PodSecurityConfiguration of pod-security.admission.config.cl.io\/v1/,
    );
  });

  it('is part of releases from 1.23 on, unless its gate or the plugin is disabled', async () => {
    const isOn = async (options: TestServerOptions): Promise<boolean> => {
      await using story = await Story.start(options);
      await story.namespace('n', { enforce: 'baseline' });
      return (await story.createPod('n', 'p', hostPid)).status === 403;
    };
    assert.equal(await isOn({ emulatedRelease: '1.22' }), false);
    assert.equal(await isOn({ emulatedRelease: '1.22', featureGates: ['PodSecurity=true'] }), true);
    assert.equal(
      await isOn({ emulatedRelease: '1.22', admissionPlugins: { enabled: ['PodSecurity'], disabled: [] } }),
      true,
    );
    assert.equal(await isOn({ emulatedRelease: '1.23' }), true);
    assert.equal(await isOn({ emulatedRelease: '1.23', featureGates: ['PodSecurity=false'] }), false);
    assert.equal(await isOn({ admissionPlugins: { enabled: [], disabled: ['PodSecurity'] } }), false);
  });

  it('warns of what is enforced from 1.26 on', async () => {
    for (const [emulatedRelease, count] of [
      ['1.25', 0],
      ['1.26', 1],
    ] as const) {
      await using story = await Story.start({ emulatedRelease });
      await story.namespace('n', { enforce: 'baseline' });
      const template = { metadata: { labels: { a: 'b' } }, spec: pod('', hostPid)['spec'] ?? null };
      const response = await request(story.server, 'POST', '/apis/apps/v1/namespaces/n/deployments', {
        metadata: { name: 'o' },
        spec: { selector: { matchLabels: { a: 'b' } }, template },
      });
      assert.equal(warningsOf(response).length, count);
    }
  });

  it('counts its decisions', async () => {
    await using story = await Story.start();
    await story.namespace('n', { enforce: 'baseline', warn: 'restricted', audit: 'restricted' });
    await story.createPod('default', 'p');
    await story.createPod('n', 'p');
    await story.createPod('n', 'q', hostPid);
    const { lines } = await evaluations(story.server);
    for (const [decision, level, mode, count] of [
      ['allow', 'privileged', 'enforce', 1],
      ['allow', 'baseline', 'enforce', 1],
      ['deny', 'baseline', 'enforce', 1],
      ['deny', 'restricted', 'audit', 2],
      ['deny', 'restricted', 'warn', 1],
    ] as const) {
      const series =
        `pod_security_evaluations_total{decision="${decision}",mode="${mode}",policy_level="${level}",` +
        `policy_version="latest",request_operation="create",resource="pod",subresource=""} ${count}`;
      assert.ok(lines.includes(series), `${series} in ${lines.join()}`);
    }
  });
});

const privilegedContainer: JsonObject = { name: 'c', image: 'x', securityContext: { privileged: true } };

/** The lines of the plugin's metrics, and the sum of each family. */
async function evaluations(server: TestServer) {
  const lines = (await request(server, 'GET', '/metrics')).text
    .split('\n')
    .filter((line) => line.startsWith('pod_security'));
  const counters: Record<string, number> = {};
  for (const line of lines) {
    const name = line.split('{')[0] ?? '';
    counters[name] = (counters[name] ?? 0) + Number(line.split(' ').at(-1));
  }
  return { lines, counters };
}
