import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import http2 from 'node:http2';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import type { ClientCertificate } from './identity/certificate-authority.ts';
import { issueClientCertificate } from '../../src/pki/issue-client-certificate.ts';
import { type AuthorityFiles, ensureAuthority } from '../../src/pki/ensure-authority.ts';
import { ensureServingCertificates, type ServingCertificates } from '../../src/pki/ensure-serving-certificates.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { until } from './until.ts';

const namespaces = '/api/v1/namespaces';
const hour = 3_600_000;
/** So that a test need not wait; a server reads every ten seconds. */
const certificateReloadMs = 20;

/** One connection that is kept and asked again. */
interface KeptConnection {
  /** Answers the status of a read. Rejects where that would take another connection. */
  ask(): Promise<number>;
  close(): void;
}

function overHttp1(server: TestServer, ca: string, client: ClientCertificate): KeptConnection {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  let asked = 0;
  const ask = async (): Promise<number> => {
    const url = server.url + namespaces;
    const request = https.get(url, { agent, ca, cert: client.certPem, key: client.keyPem });
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    assert.equal(request.reusedSocket, asked++ > 0, 'the connection is kept');
    // The agent has the socket back a turn later.
    await new Promise(setImmediate);
    return response.statusCode;
  };
  return { ask, close: () => agent.destroy() };
}

function overHttp2(server: TestServer, ca: string, client: ClientCertificate): KeptConnection {
  const session = http2.connect(server.url, { ca, cert: client.certPem, key: client.keyPem });
  const ask = async (): Promise<number> => {
    const stream = session.request({ ':path': namespaces });
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
    stream.resume();
    await once(stream, 'close');
    return Number(headers[':status']);
  };
  return { ask, close: () => session.destroy() };
}

const protocols = [
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', overHttp2],
] as const;

/** Replaces a file at once, as those do who rotate certificates. */
async function replace(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

describe('Certificates that are rotated', () => {
  let directory: string;
  let serving: ServingCertificates;
  let first: AuthorityFiles;
  let second: AuthorityFiles;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-rotated-'));
    serving = await ensureServingCertificates(path.join(directory, 'serving'), ['127.0.0.1', 'localhost']);
    first = await ensureAuthority(path.join(directory, 'first'), 'ca', 'first');
    second = await ensureAuthority(path.join(directory, 'second'), 'ca', 'second');
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const issue = (authority: AuthorityFiles, lifetimeMs = hour): Promise<ClientCertificate> =>
    issueClientCertificate(authority, { username: 'ann', groups: [] }, lifetimeMs);

  describe('the client CA', () => {
    let server: TestServer;
    let clientCaFile: string;
    beforeEach(async () => {
      clientCaFile = path.join(directory, 'client-ca.crt');
      await replace(clientCaFile, first.certificatePem);
      server = await startServer({ clientCaFile, certificateReloadMs });
    });
    afterEach(() => server.stop());

    const statusOf = async (open: (typeof protocols)[number][1], client: ClientCertificate): Promise<number> => {
      const connection = open(server, server.ca, client);
      const status = await connection.ask();
      connection.close();
      return status;
    };

    for (const [protocol, open] of protocols) {
      it(`refuses a certificate that expires while its connection is open (${protocol})`, async () => {
        const connection = open(server, server.ca, await issue(first, 3_000));
        assert.equal(await connection.ask(), 200);
        await until('401', async () => (await connection.ask()) === 401);
        connection.close();
      });

      it(`holds for the connections that are open (${protocol})`, async () => {
        const [old, young] = await Promise.all([issue(first), issue(second)]);
        const kept = open(server, server.ca, old);
        assert.equal(await kept.ask(), 200);
        assert.equal(await statusOf(open, young), 401, 'not yet trusted');

        await replace(clientCaFile, first.certificatePem + second.certificatePem);
        await until('the new CA to be trusted', async () => (await statusOf(open, young)) === 200);
        assert.equal(await kept.ask(), 200, 'the old CA is still trusted');

        await replace(clientCaFile, second.certificatePem);
        await until('the old CA to be refused', async () => (await kept.ask()) === 401);
        assert.equal(await statusOf(open, old), 401);
        assert.equal(await statusOf(open, young), 200);
        kept.close();
      });
    }

    it('is not resumed: a session that began under the old CA does not come back', async () => {
      const { certPem: cert, keyPem: key } = await issue(first);
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
        let session: Buffer | undefined;
        for (let turn = 0; turn < 2; turn++) {
          const given: Buffer | undefined = session;
          const socket = connect({
            host: '127.0.0.1',
            port: server.port,
            ca: server.ca,
            cert,
            key,
            maxVersion,
            ALPNProtocols: ['http/1.1'],
            ...(given ? { session: given } : {}),
          });
          socket.on('session', (offered: Buffer) => (session = offered));
          await once(socket, 'secureConnect');
          session ??= socket.getSession();
          assert.equal(socket.isSessionReused(), false, maxVersion);
          socket.end(`GET ${namespaces} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`).resume();
          await once(socket, 'close');
        }
      }
    });

    it('stays what it was while its file is missing or half-written', async () => {
      const old = await issue(first);
      const half = first.certificatePem + second.certificatePem.slice(0, 300);
      const bad: readonly (() => Promise<void>)[] = [() => writeFile(clientCaFile, half), () => rm(clientCaFile)];
      for (const spoil of bad) {
        await spoil();
        for (let reads = 0; reads < 5; reads++) {
          assert.equal(await statusOf(overHttp1, old), 200);
          await sleep(certificateReloadMs);
        }
      }
      await replace(clientCaFile, second.certificatePem);
      await until('the good one', async () => (await statusOf(overHttp1, old)) === 401);
    });
  });

  describe('the serving certificate', () => {
    let server: TestServer;
    let tlsCertFile: string;
    let tlsPrivateKeyFile: string;
    let renewed: ServingCertificates;
    beforeEach(async () => {
      tlsCertFile = path.join(directory, 'tls.crt');
      tlsPrivateKeyFile = path.join(directory, 'tls.key');
      renewed = await ensureServingCertificates(path.join(directory, 'renewed'), ['127.0.0.1', 'localhost']);
      await replace(tlsCertFile, serving.certPem);
      await replace(tlsPrivateKeyFile, serving.keyPem);
      server = await startServer({ tlsCertFile, tlsPrivateKeyFile, clientCaFile: first.certFile, certificateReloadMs });
    });
    afterEach(() => server.stop());

    /** The certificate that a new connection is shown, in PEM. */
    async function shown(ALPNProtocols: string[] = ['http/1.1']): Promise<string> {
      const socket: TLSSocket = connect({
        host: '127.0.0.1',
        port: server.port,
        rejectUnauthorized: false,
        ALPNProtocols,
      });
      await once(socket, 'secureConnect');
      const { raw }: DetailedPeerCertificate = socket.getPeerCertificate(true);
      socket.destroy();
      return raw.toString('base64');
    }
    const bodyOf = (pem: string): string => pem.replaceAll(/-----.*-----|\s/g, '');

    it('is shown to new connections, of both protocols; open ones go on', async () => {
      const ann = await issue(first);
      const kept = overHttp2(server, serving.caPem, ann);
      assert.equal(await kept.ask(), 200);
      assert.equal(await shown(), bodyOf(serving.certPem));
      await replace(tlsPrivateKeyFile, renewed.keyPem);
      await replace(tlsCertFile, renewed.certPem);
      await until('the new certificate', async () => (await shown()) === bodyOf(renewed.certPem));
      assert.equal(await shown(['h2']), bodyOf(renewed.certPem));
      assert.equal(await kept.ask(), 200);
      kept.close();
    });

    it('stays what it was while its files are missing, half-written or do not fit together', async () => {
      const spoilers: readonly (() => Promise<void>)[] = [
        () => writeFile(tlsCertFile, renewed.certPem.slice(0, 200)),
        () => writeFile(tlsCertFile, ''),
        () => replace(tlsCertFile, renewed.certPem),
        () => rm(tlsCertFile),
        () => rm(tlsPrivateKeyFile),
      ];
      for (const spoil of spoilers) {
        await spoil();
        for (let reads = 0; reads < 4; reads++) {
          assert.equal(await shown(), bodyOf(serving.certPem));
          await sleep(certificateReloadMs);
        }
      }
      await replace(tlsCertFile, renewed.certPem);
      await replace(tlsPrivateKeyFile, renewed.keyPem);
      await until('the new certificate', async () => (await shown()) === bodyOf(renewed.certPem));
    });

    it('is found behind a symbolic link that is replaced, as in a mounted secret', async () => {
      const version = async (name: string, files: ServingCertificates): Promise<void> => {
        await copyFile(files.certFile, path.join(directory, `${name}.crt`));
        await copyFile(files.keyFile, path.join(directory, `${name}.key`));
        for (const [end, file] of [
          ['crt', tlsCertFile],
          ['key', tlsPrivateKeyFile],
        ] as const) {
          await symlink(`${name}.${end}`, `${file}.link`);
          await rename(`${file}.link`, file);
        }
      };
      await version('one', serving);
      await version('two', renewed);
      await until('the new certificate', async () => (await shown()) === bodyOf(renewed.certPem));
      assert.equal(bodyOf(await readFile(tlsCertFile, 'utf8')), bodyOf(renewed.certPem));
    });
  });
});
