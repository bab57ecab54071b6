import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Outcome, runCl } from '../../http/cl/cl-runner.ts';
import { answer, startTlsServer, type TlsServer } from '../outbound/start-tls-server.ts';

/** Longer than what is shown of a response. */
const longReport = `${Array.from({ length: 40 }, (_, at) => `[+]check-${at} ok`).join('\n')}\n[-]etcd failed\nreadyz check failed\n`;

const metrics = `# TYPE apiserver_storage_decode_errors_total counter
apiserver_storage_decode_errors_total{resource="secrets"} 2
apiserver_storage_consistency_checks_total{group="",resource="pods",status="success"} 7
apiserver_storage_consistency_checks_total{group="apps",resource="deployments",status="failure"} 1
apiserver_admission_webhook_rejection_count{error_type="no_error",name="a.example.com",operation="CREATE"} 5
apiserver_admission_webhook_rejection_count{error_type="calling_webhook_error",name="b.example.com",operation="CREATE"} 3
apiserver_admission_webhook_fail_open_count{name="c.example.com",type="validating"} 1
`;

const hooks = {
  kind: 'ValidatingWebhookConfigurationList',
  metadata: {},
  items: [
    { metadata: { name: 'h' }, webhooks: [{ name: 'h.example.com', clientConfig: { url: 'https://127.0.0.1:1/x' } }] },
  ],
};

describe('cl doctor with faults', () => {
  let server: TlsServer;
  let directory: string;
  const flags = (): string[] => [`--server=${server.settings.server}`, '--insecure-skip-tls-verify', '--token=t'];
  const doctor = (...args: string[]): Promise<Outcome> => runCl(['doctor', ...args], { directory, isUsual: true });

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-doctor-'));
    server = await startTlsServer();
    server.handle = ({ url }, response) => {
      const at = url.split('?')[0] ?? '';
      const texts: Record<string, readonly [code: number, text: string]> = {
        '/readyz': [500, longReport],
        '/readyz/etcd': [500, 'etcd failed'],
        '/readyz/storage-watch': [404, 'not found'],
        '/metrics': [200, metrics],
      };
      const [code, text] = texts[at] ?? [200, 'ok'];
      if (at === '/api') answer(response, 200, { kind: 'APIVersions', versions: [] });
      else if (at === '/apis') answer(response, 200, groups);
      else if (at === '/apis/admissionregistration.cl.io/v1') answer(response, 200, resources);
      else if (at.endsWith('/validatingwebhookconfigurations')) answer(response, 200, hooks);
      else if (at === '/version') answer(response, 200, { gitVersion: 'v1.23.0' });
      else response.writeHead(code, { 'content-type': 'text/plain' }).end(text);
    };
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  it('names checks that fail, also at the end of a long answer', async () => {
    const { code, out } = await doctor('-q', ...flags());
    assert.equal(code, 1, out);
    assert.deepEqual(out.match(/^error +the check .* fails$/gm), ['error    the check etcd of the server fails']);
  });

  it('tells damaged values, caches that differ and webhooks that are down', async () => {
    const { out } = await doctor('-q', ...flags());
    assert.match(out, /^error +stored secrets are damaged: 2 could not be decoded\n +-> /m);
    assert.match(out, /^error +the cache of deployments differed from the store once\n +-> /m);
    assert.match(
      out,
      /^warning +calls of the webhook b\.example\.com failed 3 times .*; what it reviews was refused\n +-> /m,
    );
    assert.match(out, /^warning +calls of the webhook c\.example\.com failed once .*; it was skipped\n +-> /m);
    assert.match(out, /^warning +the webhook h\.example\.com cannot be reached from this machine at 127\.0\.0\.1:1\n/m);
    assert.doesNotMatch(out, /a\.example\.com|cache of pods/);
  });

  it('looks at a control plane of this machine whose server is down', async () => {
    await mkdir(path.join(directory, '.cl/pki'), { recursive: true });
    const cluster = 'clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]';
    const config = `${cluster}\ncontexts: [{name: c, context: {cluster: a}}]\ncurrent-context: c\n`;
    const configFile = path.join(directory, '.cl/admin.clientconfig');
    await writeFile(configFile, config, { mode: 0o600 });
    // As `cl up` records what it makes.
    await writeFile(path.join(directory, '.cl/own-configs'), `${JSON.stringify(await realpath(configFile))}\n`);
    await writeFile(path.join(directory, '.cl/pki/ca.crt'), 'damaged');
    const { code, out, err } = await doctor();
    assert.deepEqual([code, err], [1, '']);
    assert.match(out, /^error +no control plane runs on .*\.cl\n +-> start it with "cl up"$/m);
    assert.match(out, /^(?:ok|warning|error) +the disk of .* has \d+ MiB left$/m);
    assert.match(out, /^error +pki\/ca\.crt cannot be read\n +-> start it again with "cl up", which renews/m);
    assert.match(out, /^error +cannot reach https:\/\/127\.0\.0\.1:1: .*\n +-> start the server/m);
    const named = await doctor('--data-dir=.cl/none');
    assert.match(named.err, /^error: .*none has no control plane \("cl up list" has those of this machine\)\n$/);
  });
});

const groups = {
  kind: 'APIGroupList',
  groups: [
    {
      name: 'admissionregistration.cl.io',
      versions: [{ groupVersion: 'admissionregistration.cl.io/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'admissionregistration.cl.io/v1', version: 'v1' },
    },
  ],
};
const resources = {
  kind: 'APIResourceList',
  groupVersion: 'admissionregistration.cl.io/v1',
  resources: [
    {
      name: 'validatingwebhookconfigurations',
      singularName: '',
      namespaced: false,
      kind: 'ValidatingWebhookConfiguration',
      verbs: ['get', 'list'],
    },
  ],
};
