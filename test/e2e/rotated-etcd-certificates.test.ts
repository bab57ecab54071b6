import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { issueClientCertificate } from '../../src/pki/issue-client-certificate.ts';
import { ensureAuthority } from '../../src/pki/ensure-authority.ts';
import { ensureServingCertificates } from '../../src/pki/ensure-serving-certificates.ts';
import { replaceFile } from '../../src/files/replace-file.ts';
import { startServer } from './start-server.ts';
import { type EtcdHome, openEtcdHome } from '../contract/etcd-fixture.ts';
import { readEvents, request } from '../http/http-client.ts';
import { until } from '../http/until.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('Certificates of etcd that are rotated', () => {
  let directory: string;
  let etcd: EtcdHome | undefined;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-etcd-certificates-'));
  });
  afterEach(() => etcd?.close());
  after(() => rm(directory, { recursive: true, force: true }));

  /** A CA, what etcd serves with, and what a client shows to it. */
  async function newPki(name: string) {
    const folder = path.join(directory, name);
    const serving = await ensureServingCertificates(folder, ['127.0.0.1', 'localhost']);
    const authority = await ensureAuthority(folder, 'ca', 'apiserver-ca');
    const { certPem, keyPem } = await issueClientCertificate(authority, { username: 'store', groups: [] }, 3_600_000);
    const client = { ca: Buffer.from(serving.caPem), cert: Buffer.from(certPem), key: Buffer.from(keyPem) };
    return { ...serving, certPem, keyPem, client };
  }

  it('are used by a running server: another CA, client certificate and key, without a restart', async () => {
    const [first, second] = [await newPki('first'), await newPki('second')];
    const file = (name: string): string => path.join(directory, name);
    const [caFile, certFile, keyFile] = [file('ca.crt'), file('client.crt'), file('client.key')];
    const show = async ({ caPem, certPem, keyPem }: typeof first): Promise<void> => {
      await replaceFile(caFile, caPem, 0o644);
      await replaceFile(certFile, certPem, 0o644);
      await replaceFile(keyFile, keyPem, 0o600);
    };
    let pki = first;
    etcd = await openEtcdHome({
      get tls() {
        return pki;
      },
    });
    await show(first);
    const store = { kind: 'etcd', servers: [etcd.endpoint], caFile, certFile, keyFile } as const;
    await using server = await startServer({ store, certificateReloadMs: 20 });
    const create = async (name: string): Promise<number> =>
      (await request(server, 'POST', configMaps, { metadata: { name } })).status;
    assert.equal(await create('one'), 201);
    const watch = readEvents(server, `${configMaps}?watch=1`);
    await until('the first object', () => watch.events.length === 1);

    pki = second;
    await etcd.kill();
    await etcd.start();
    await show(second);
    await until('readyz', async () => (await request(server, 'GET', '/readyz')).status === 200);
    assert.equal(await create('two'), 201);
    await until('the second object', () => watch.events.length === 2);
    watch.stop();
  });
});
