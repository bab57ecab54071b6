import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { Lease } from '../../../../src/client/leader-election.ts';
import { writeAdminConfig } from '../../../../src/cli/up/admin-config.ts';
import { healthCertificate } from '../../../../src/controllers/manager/health-certificate.ts';
import { parseFlags } from '../../../../src/controllers/manager/controller-manager-flags.ts';
import { startHealthServer } from '../../../../src/controllers/manager/start-health-server.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import { MetricsRegistry } from '../../../../src/metrics/metrics-registry.ts';
import { readGauge } from '../../../../src/metrics/read-gauge.ts';
import { generateKey } from '../../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate } from '../../../../src/pki/issue-certificate.ts';
import { answer, startTlsServer } from '../../outbound/start-tls-server.ts';
import { programFile } from '../../../program-file.ts';

const script = programFile('cl-controller-manager');

describe('the controller manager', () => {
  it('serves health', async () => {
    const registry = new MetricsRegistry();
    registry.register(readGauge('sync_total', 'A number.', () => 1));
    const health = await startHealthServer({ host: '127.0.0.1', port: 0 }, registry);
    for (const path of ['/healthz', '/livez', '/readyz?verbose']) {
      const response = await fetch(health.url + path);
      assert.equal(await response.text(), 'ok');
    }
    assert.match(await (await fetch(`${health.url}/metrics`)).text(), /^sync_total 1$/m);
    assert.equal((await fetch(`${health.url}/other`)).status, 404);
    await health.close();
  });

  it('serves health over HTTPS with a certificate of its own', async () => {
    const flags = parseFlags(['--kubeconfig=x', '--secure-port=0', '--tls-min-version=VersionTLS13']);
    const tls = await healthCertificate(flags);
    const health = await startHealthServer({ host: '127.0.0.1', port: 0, tls }, new MetricsRegistry());
    const { port } = new URL(health.url);
    const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    assert.equal(socket.getProtocol(), 'TLSv1.3');
    assert.equal(socket.getPeerCertificate().subjectaltname?.includes('IP Address:127.0.0.1'), true);
    socket.destroy();
    await health.close();
  });

  it('takes the flags of kube-controller-manager in manifests', () => {
    const flags = parseFlags([
      '--kubeconfig=/etc/kcm.conf',
      '--authentication-kubeconfig=/etc/kcm.conf',
      '--allocate-node-cidrs=true',
      '--cluster-cidr=10.1.0.0/16',
      '--leader-elect-resource-name=mine',
      '--kube-api-qps=5.5',
      '--max-endpoints-per-slice=7',
      '--cloud-provider=external',
    ]);
    assert.equal(flags.clientconfig, '/etc/kcm.conf');
    assert.equal(flags['leader-elect-resource-name'], 'mine');
    assert.equal(flags['kube-api-qps'], 5.5);
    assert.equal(flags['max-endpoints-per-slice'], 7);
  });

  it('holds the lease of its identifiers while it runs, gives it back on SIGTERM, and exits with 0', async () => {
    const server = await startTlsServer();
    let lease: Lease | undefined;
    const forged = '{"level":"info","msg":"forged"}';
    server.handle = ({ method, body }, response) => {
      // A text of others must not begin a line of the log.
      if (server.seen.length === 1)
        return answer(response, 500, { kind: 'Status', code: 500, message: `x\n${forged}` });
      if (method === 'GET' && !lease) return answer(response, 404, { kind: 'Status', code: 404, reason: 'NotFound' });
      if (method !== 'GET') {
        const sent: Lease = JSON.parse(body);
        lease = sent;
      }
      answer(response, 200, lease);
    };
    const directory = await mkdtemp(join(tmpdir(), 'manager-'));
    const key = await generateKey();
    const certificatePem = await issueAuthorityCertificate(key, 'CA', new Date(Date.now() + 3600_000));
    const { configFile } = await writeAdminConfig({
      dataDir: directory,
      identifiers: identifiersOf('kubernetes'),
      server: 'https://127.0.0.1:1',
      servingCaPem: server.settings.ca ?? '',
      clientAuthority: { key, certificatePem },
    });
    const child = spawn(process.execPath, [
      script,
      `--clientconfig=${configFile}`,
      '--health-port=0',
      '--identifiers=kubernetes',
      '--controllers=',
      `--master=${server.settings.server}`,
      '--leader-elect-resource-namespace=other',
      '--leader-elect-retry-period=50ms',
    ]);
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += String(chunk);
    });
    while (!log.includes('elected as leader')) await once(child.stderr, 'data');
    assert.match(lease?.spec?.holderIdentity ?? '', /.+_[-0-9a-f]{36}$/);
    assert.match(
      server.seen[0]?.url ?? '',
      /^\/apis\/coordination\.k8s\.io\/v1\/namespaces\/other\/leases\/kube-controller-manager$/,
    );
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    assert.equal(child.exitCode, 0);
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { logger, err } = lines.find((record) => record.err !== undefined);
    assert.deepEqual([logger, err.message], ['election', `x\n${forged}`]);
    assert.ok(!lines.some(({ msg }) => msg === 'forged'));
    assert.equal(lease?.spec?.holderIdentity, '');
    await server.stop();
    await rm(directory, { recursive: true });
  });

  it('refuses wrong flags with 2, and a client config that is not there with 1', async () => {
    for (const [args, code] of [
      [[], 2],
      [['--clientconfig=x', '--health-port=-1'], 2],
      [['--clientconfig=x', '--controllers=*,-nobody'], 2],
      [['--clientconfig=/nowhere/config', '--health-port=0'], 1],
    ] as const) {
      const child = spawn(process.execPath, [script, ...args], { stdio: 'ignore' });
      await once(child, 'exit');
      assert.equal(child.exitCode, code);
    }
  });
});
