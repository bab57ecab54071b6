import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ClientCertificate } from '../../../src/pki/client-certificate.ts';
import { loneIntermediates } from '../../../src/pki/lone-intermediates.ts';
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
    root.issue({ subject: '/CN=ann', key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] }),
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

  it('are refused if the bundle has their CA without its root, which is reported', async () => {
    const intermediate = await root.issue({ subject: '/O=team/CN=intermediate', extensions: caExtensions });
    const client = await intermediate.issue({ subject: '/CN=ann' });
    const clientCaFile = path.join(directory, 'intermediate.crt');
    await writeFile(clientCaFile, intermediate.certPem);
    await using other = await startServer({ clientCaFile });
    assert.equal((await whoami(other, {}, client)).status, 401);
    assert.equal((await whoami(other, {}, withChain(client, intermediate))).status, 401);
    assert.deepEqual(loneIntermediates(intermediate.certPem), ['O=team, CN=intermediate']);
    const whole = intermediate.certPem + root.certPem;
    assert.deepEqual(loneIntermediates(whole), []);
    await writeFile(clientCaFile, whole);
    await using better = await startServer({ clientCaFile });
    assert.equal((await whoami(better, {}, client)).status, 201, 'the client need not send what the bundle has');
  });

  it('are taken before a wrong token', async () => {
    const client = await root.issue({ subject: '/CN=ann' });
    const { status, user } = await whoami(server, { authorization: 'Bearer zork' }, client);
    assert.deepEqual([status, (user as { username: string }).username], [201, 'ann'], 'as with kube-apiserver');
  });
});
