import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent } from 'undici';
import type { ClientCertificate } from './certificate-authority.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { caExtensions, clientExtensions, createRoot } from './openssl-authority.ts';
import { whoami } from './whoami.ts';

type Authority = Awaited<ReturnType<typeof createRoot>>;

/** A client with the certificates of its chain. */
function withChain(client: ClientCertificate, ...issuers: readonly ClientCertificate[]): ClientCertificate {
  return { ...client, certPem: [client, ...issuers].map(({ certPem }) => certPem).join('') };
}

const usage = (name: string): readonly string[] => ['basicConstraints=CA:false', `extendedKeyUsage=${name}`];
const groupsOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `group-${index}`);

/** Certificates that name a user: how they are made, and the user. */
const accepted: Readonly<
  Record<
    string,
    readonly [make: (root: Authority) => Promise<ClientCertificate>, username: string, groups?: readonly string[]]
  >
> = {
  'for clients': [(root) => root.issue({ subject: '/O=b/O=a/CN=ann' }), 'ann', ['b', 'a']],
  'that says nothing of usages': [
    (root) => root.issue({ subject: '/CN=ann', extensions: ['basicConstraints=CA:false'] }),
    'ann',
  ],
  'of an intermediate that comes with it': [
    async (root) => {
      const intermediate = await root.issue({ subject: '/CN=intermediate', extensions: caExtensions });
      return withChain(await intermediate.issue({ subject: '/CN=ann' }), intermediate);
    },
    'ann',
  ],
  'with the name of a group': [(root) => root.issue({ subject: '/CN=system:masters' }), 'system:masters'],
  'with two common names': [(root) => root.issue({ subject: '/CN=ann/CN=bob' }), 'bob'],
  'with special characters in names': [
    (root) => root.issue({ subject: '/O=a, CN\\=b/O=c\nd\\+e/CN=Änn' }),
    'Änn',
    ['a, CN=b', 'c\nd+e'],
  ],
  'with a thousand organizations': [
    (root) =>
      root.issue({
        subject: `${groupsOf(1000)
          .map((group) => `/O=${group}`)
          .join('')}/CN=ann`,
      }),
    'ann',
    groupsOf(1000),
  ],
};

/** Certificates that are refused. */
const refused: Readonly<Record<string, (root: Authority) => Promise<ClientCertificate>>> = {
  'for servers': (root) => root.issue({ subject: '/CN=ann', extensions: usage('serverAuth') }),
  'for any usage, which is not enough for OpenSSL': (root) =>
    root.issue({ subject: '/CN=ann', extensions: usage('anyExtendedKeyUsage') }),
  'of another CA': async () => (await createRoot('/CN=other')).issue({ subject: '/CN=ann' }),
  'of another CA with the same name': async () => (await createRoot('/CN=root')).issue({ subject: '/CN=ann' }),
  'that is its own issuer': () => createRoot('/CN=root'),
  'of an intermediate that is missing': async (root) => {
    const intermediate = await root.issue({ subject: '/CN=intermediate', extensions: caExtensions });
    return await intermediate.issue({ subject: '/CN=ann' });
  },
  'of an intermediate that no CA has issued': async () => {
    const other = await createRoot('/CN=other');
    const intermediate = await other.issue({ subject: '/CN=intermediate', extensions: caExtensions });
    return withChain(await intermediate.issue({ subject: '/CN=ann' }), intermediate, other);
  },
  'of another client': async (root) => {
    const client = await root.issue({ subject: '/CN=client', extensions: clientExtensions });
    return withChain(await client.issue({ subject: '/O=system:masters/CN=ann' }), client);
  },
  'of an intermediate for servers': async (root) => {
    const extensions = [...caExtensions, 'extendedKeyUsage=serverAuth'];
    const intermediate = await root.issue({ subject: '/CN=intermediate', extensions });
    return withChain(await intermediate.issue({ subject: '/CN=ann', extensions: usage('clientAuth') }), intermediate);
  },
  'outside the names of its intermediate': async (root) => {
    const constraint = 'nameConstraints=critical,permitted;dirName:names\n[names]\nO=team';
    const intermediate = await root.issue({ subject: '/CN=intermediate', extensions: [...caExtensions, constraint] });
    return withChain(await intermediate.issue({ subject: '/O=system:masters/CN=ann' }), intermediate);
  },
  'without a common name': (root) => root.issue({ subject: '/O=system:masters' }),
  'with an RSA key of 1024 bits': (root) =>
    root.issue({ subject: '/CN=ann', key: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey }),
  'signed with SHA-1': (root) => root.issue({ subject: '/CN=ann', hash: 'sha1' }),
};

describe('client certificates', () => {
  let directory: string;
  let root: Authority;
  let server: TestServer;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-clients-'));
    root = await createRoot('/CN=root');
    const clientCaFile = path.join(directory, 'ca.crt');
    await writeFile(clientCaFile, root.certPem);
    server = await startServer({ clientCaFile });
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  for (const [what, [make, username, groups = []]] of Object.entries(accepted)) {
    it(`authenticate: one ${what}`, async () => {
      assert.deepEqual(await whoami(server, {}, await make(root)), {
        status: 201,
        user: { username, groups: [...groups, 'system:authenticated'] },
      });
    });
  }

  for (const [what, make] of Object.entries(refused)) {
    it(`are refused: one ${what}`, async () => {
      assert.equal((await whoami(server, {}, await make(root))).status, 401);
    });
  }

  describe('in releases that read UIDs from certificates', () => {
    let later: TestServer;
    before(async () => {
      later = await startServer({ clientCaFile: path.join(directory, 'ca.crt'), emulatedRelease: '1.34' });
    });
    after(() => later?.stop());

    it('give the user its UID, and name the certificate', async () => {
      const client = await root.issue({ subject: '/userUid=one/CN=ann' });
      const digest = new X509Certificate(client.certPem).fingerprint256.replaceAll(':', '').toLowerCase();
      assert.deepEqual(await whoami(later, {}, client), {
        status: 201,
        user: {
          username: 'ann',
          uid: 'one',
          groups: ['system:authenticated'],
          extra: { 'authentication.cluster.io/credential-id': [`X509SHA256=${digest}`] },
        },
      });
      assert.deepEqual(await whoami(server, {}, client), {
        status: 201,
        user: { username: 'ann', groups: ['system:authenticated'] },
      });
    });

    it('are refused with several', async () => {
      const client = await root.issue({ subject: '/userUid=one/userUid=two/CN=ann' });
      assert.equal((await whoami(later, {}, client)).status, 401);
    });
  });

  describe('of an intermediate in the bundle without its root', () => {
    let intermediate: Authority;
    let other: TestServer;
    before(async () => {
      intermediate = await root.issue({ subject: '/O=team/CN=intermediate', extensions: caExtensions });
      const clientCaFile = path.join(directory, 'intermediate.crt');
      await writeFile(clientCaFile, intermediate.certPem);
      const names = await root.issue({ subject: '/CN=api.example', extensions: ['subjectAltName=DNS:api.example'] });
      const [certFile, keyFile] = [path.join(directory, 'sni.crt'), path.join(directory, 'sni.key')];
      await Promise.all([writeFile(certFile, names.certPem), writeFile(keyFile, names.keyPem, { mode: 0o600 })]);
      other = await startServer({ clientCaFile, tlsSniCertKeys: [{ certFile, keyFile, names: [] }] });
    });
    after(() => other.stop());

    const statusFor = async (client: ClientCertificate): Promise<number> => (await whoami(other, {}, client)).status;

    it('authenticate, with and without their chain', async () => {
      const client = await intermediate.issue({ subject: '/CN=ann' });
      assert.equal(await statusFor(client), 201);
      assert.equal(await statusFor(withChain(client, intermediate)), 201);
      assert.equal(await statusFor(withChain(client, intermediate, root)), 201);
      const below = await intermediate.issue({ subject: '/CN=below', extensions: caExtensions });
      assert.equal(await statusFor(withChain(await below.issue({ subject: '/CN=ann' }), below)), 201);
    });

    it('authenticate for a certificate that the server presents by name', async () => {
      const { certPem: cert, keyPem: key } = await intermediate.issue({ subject: '/CN=ann' });
      const agent = new Agent({ connect: { ca: root.certPem, servername: 'api.example', cert, key } });
      const reviews = '/apis/authentication.cl.io/v1/selfsubjectreviews';
      const body = JSON.stringify({ kind: 'SelfSubjectReview', apiVersion: 'authentication.cl.io/v1' });
      const headers = { 'content-type': 'application/json' };
      const response = await agent.request({ origin: other.url, path: reviews, method: 'POST', headers, body });
      assert.match(await response.body.text(), /"username":"ann"/);
      await agent.close();
    });

    it('are refused if the root has issued them, or if they are for servers', async () => {
      assert.equal(await statusFor(await root.issue({ subject: '/CN=ann' })), 401);
      assert.equal(await statusFor(withChain(await root.issue({ subject: '/CN=ann' }), root)), 401);
      assert.equal(
        await statusFor(await intermediate.issue({ subject: '/CN=ann', extensions: usage('serverAuth') })),
        401,
      );
      assert.equal(await statusFor(withChain(intermediate)), 401, 'it is no certificate of a client');
    });

    it('are refused if what the bundle has is no CA', async () => {
      const client = await root.issue({ subject: '/CN=client' });
      const clientCaFile = path.join(directory, 'client.crt');
      await writeFile(clientCaFile, client.certPem);
      await using strict = await startServer({ clientCaFile });
      assert.equal((await whoami(strict, {}, await client.issue({ subject: '/CN=ann' }))).status, 401);
    });
  });

  it('are taken before a wrong token', async () => {
    const client = await root.issue({ subject: '/CN=ann' });
    const { status, user } = await whoami(server, { authorization: 'Bearer zork' }, client);
    assert.deepEqual([status, (user as { username: string }).username], [201, 'ann'], 'as with kube-apiserver');
  });
});
