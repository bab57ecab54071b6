import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { startServer } from '../../src/testing/index.ts';
import { openEtcdHome } from '../contract/etcd-fixture.ts';
import { runCl } from '../http/cl/cl-runner.ts';
import { until } from '../http/until.ts';

describe('The certificates of cl certs', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-certs-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const file = (name: string): string => path.join(directory, 'pki', name);
  const cl = async (line: string): Promise<string> => {
    const { code, out, err } = await runCl(line.split(' '), { directory, isUsual: true });
    assert.deepEqual([code, err], [0, '']);
    return out;
  };

  it('run etcd, a server and its administrator, also when all are renewed with new keys meanwhile', async () => {
    await cl('certs create');
    const [ca, cert, key] = await Promise.all(
      ['etcd-ca.crt', 'etcd-client.crt', 'etcd-client.key'].map((name) => readFile(file(name))),
    );
    assert.ok(ca && cert && key);
    const etcd = await openEtcdHome({
      tls: {
        caFile: file('etcd-ca.crt'),
        certFile: file('etcd-server.crt'),
        keyFile: file('etcd-server.key'),
        client: { ca, cert, key },
      },
    });
    try {
      const [caFile, certFile, keyFile] = [file('etcd-ca.crt'), file('etcd-client.crt'), file('etcd-client.key')];
      await using server = await startServer({
        store: { kind: 'etcd', servers: [etcd.endpoint], caFile, certFile, keyFile },
        tlsCertFile: file('apiserver.crt'),
        tlsPrivateKeyFile: file('apiserver.key'),
        clientCaFile: file('client-ca.crt'),
        serviceAccountSigningKeyFile: file('service-account.key'),
        authorizationMode: 'RBAC',
        certificateReloadMs: 20,
      });
      const address = `--server=${server.url} --clientconfig=pki/admin.clientconfig`;
      await cl(`create namespace one ${address}`);
      const first = await shownBy(server.port);

      await cl('certs renew --new-keys');
      await until('the new certificate', async () => (await shownBy(server.port)) !== first);
      await cl(`create namespace two ${address}`);
      const names = (await cl(`get namespaces -o name ${address}`)).split('\n');
      assert.ok(names.includes('namespace/one') && names.includes('namespace/two'), names.join());
      assert.equal(await shownBy(server.port), new X509Certificate(await readFile(file('apiserver.crt'))).serialNumber);
    } finally {
      await etcd.close();
    }
  });

  /** The serial number of the certificate of a port, which the CA of the folder has signed. */
  async function shownBy(port: number): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1', ca: await readFile(file('ca.crt')) });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  }
});
