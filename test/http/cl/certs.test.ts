import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Outcome, runCl } from './cl-runner.ts';

/** A certificate as `cl certs check -o json` shows it. */
interface Shown {
  readonly name: string;
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly names: readonly string[];
  readonly issuer: string;
  readonly ca: boolean;
  readonly notAfter?: string;
  readonly problems: readonly string[];
  readonly status: 'ok' | 'wrong';
}

const dayMs = 24 * 3600_000;
const line = 'certs create --names=api.example.com,10.0.0.11 --etcd-members=a=10.0.0.21+a.example.com,b --nodes=n1';

describe('cl certs', () => {
  let made: string;
  let directory: string;
  before(async () => {
    made = await mkdtemp(path.join(tmpdir(), 'cl-certs-'));
    const { code, err } = await runCl(line.split(' '), { directory: made });
    assert.deepEqual([code, err], [0, '']);
  });
  after(() => rm(made, { recursive: true }));
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-certs-'));
    await cp(made, directory, { recursive: true });
  });
  afterEach(() => rm(directory, { recursive: true }));

  const run = (text: string): Promise<Outcome> => runCl(text.split(' '), { directory });
  const done = async (text: string): Promise<string> => {
    const { code, out, err } = await run(text);
    assert.deepEqual([code, err], [0, '']);
    return out;
  };
  const fileOf = (name: string): string => path.join(directory, 'pki', name);
  const read = (name: string): Promise<string> => readFile(fileOf(name), 'utf8');
  const certificate = async (name: string): Promise<X509Certificate> => new X509Certificate(await read(`${name}.crt`));
  const checked = async (flags = ''): Promise<ReadonlyMap<string, Shown>> => {
    const { out } = await run(`certs check -o json${flags}`);
    const { certificates } = JSON.parse(out) as { readonly certificates: readonly Shown[] };
    return new Map(certificates.map((each) => [each.name, each]));
  };
  const problemsOf = async (name: string, flags = ''): Promise<readonly string[] | undefined> =>
    (await checked(flags)).get(name)?.problems;

  describe('create', () => {
    it('makes CAs for one purpose each, and certificates with the users, groups and names of a cluster', async () => {
      const all = await checked();
      const rows = [...all.values()].map(({ name, issuer, commonName, organizations }) =>
        [name, issuer, commonName, ...organizations].join(' '),
      );
      assert.deepEqual(rows, [
        'admin client-ca admin system:masters',
        'apiserver-node-client client-ca cl-apiserver-nodeagent-client system:masters',
        'apiserver ca apiserver',
        'ca ca apiserver-ca',
        'client-ca client-ca client-ca',
        'controller-manager client-ca system:cl-controller-manager',
        'etcd-a-peer etcd-ca etcd-a',
        'etcd-a-server etcd-ca etcd-a',
        'etcd-b-peer etcd-ca etcd-b',
        'etcd-b-server etcd-ca etcd-b',
        'etcd-ca etcd-ca etcd-ca',
        'etcd-client etcd-ca apiserver',
        'node-n1 client-ca system:node:n1 system:nodes',
        'proxy-ca proxy-ca proxy-ca',
        'proxy-client proxy-ca proxy-client',
        'scheduler client-ca system:cl-scheduler',
        'service-account  ',
      ]);
      assert.deepEqual(all.get('apiserver')?.names.slice(-2), ['api.example.com', '10.0.0.11']);
      assert.deepEqual(all.get('etcd-a-peer')?.names.slice(-3), ['a', '10.0.0.21', 'a.example.com']);
      // The extended usages, which Node gives as OIDs: serverAuth and clientAuth.
      const usages = async (name: string) => (await certificate(name)).keyUsage;
      assert.deepEqual(await usages('etcd-a-peer'), ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
      assert.deepEqual(await usages('admin'), ['1.3.6.1.5.5.7.3.2']);
      assert.deepEqual(await usages('apiserver'), ['1.3.6.1.5.5.7.3.1']);
    });

    it('writes keys and client configs that their owner alone can read', async () => {
      for (const name of await readdir(fileOf(''))) {
        const mode = (await stat(fileOf(name))).mode & 0o777;
        assert.equal(mode, /\.(crt|pub)$/.test(name) ? 0o644 : 0o600, name);
      }
      const config = await read('node-n1.clientconfig');
      assert.match(config, /server: https:\/\/api\.example\.com:6443\n/);
      assert.match(config, /client-certificate: node-n1\.crt\n/);
    });

    it('keeps what exists, and adds what is new', async () => {
      const before = await read('apiserver.crt');
      const out = await done(line.replace('--nodes=n1', '--nodes=n1,n2'));
      assert.deepEqual(out.match(/^created.*/gm), [
        'created pki/node-n2.key',
        'created pki/node-n2.crt',
        'created pki/node-n2.clientconfig',
      ]);
      assert.equal(await read('apiserver.crt'), before);
    });

    it('goes on where an interrupted run has ended', async () => {
      const key = await read('admin.key');
      await rm(fileOf('admin.crt'));
      await done('certs create admin');
      assert.equal(await read('admin.key'), key);
      assert.deepEqual(await problemsOf('admin'), []);
    });

    it('changes no file where one is not as it should be', async () => {
      const faults: readonly (readonly [prepare: () => Promise<void>, line: string, error: RegExp])[] = [
        [async () => {}, 'certs create --names=10.0.0.99', /apiserver\.crt lacks the names 10\.0\.0\.99 \(no file was/],
        [() => rm(fileOf('admin.key')), 'certs create --nodes=n2', /admin\.crt exists without its key/],
        [() => cp(fileOf('scheduler.key'), fileOf('admin.key')), 'certs create', /admin\.crt is for another key/],
        [() => rm(fileOf('client-ca.crt')), 'certs create', /admin\.crt is not signed by \S+client-ca\.crt/],
        [() => writeFile(fileOf('ca.crt'), 'x'), 'certs create', /ca\.crt is no certificate in PEM/],
        [() => writeFile(fileOf('service-account.pub'), 'x'), 'certs create', /service-account\.pub is not the public/],
        [
          async () => {},
          'certs create controller-manager --identifiers=kubernetes',
          /is for system:cl-controller-manager, not for system:kube/,
        ],
        [async () => {}, 'certs create --nodes=../x', /\.\.\/x is no name of a node/],
        [async () => {}, 'certs create --etcd-members=c=a/b', /a\/b is neither an IP address nor a DNS name/],
        [async () => {}, 'certs create --server=http://a:1', /--server=http:\/\/a:1 is no address/],
        [async () => {}, 'certs create node-n9', /there is no certificate "node-n9"/],
      ];
      for (const [prepare, text, error] of faults) {
        await cp(made, directory, { recursive: true, force: true });
        await prepare();
        const before = await readdir(fileOf(''));
        const { code, out, err } = await run(text);
        assert.deepEqual([code, out], [1, ''], text);
        assert.match(err, error);
        assert.deepEqual(await readdir(fileOf('')), before, text);
      }
    });

    it('makes again only what the words name, when it is asked to', async () => {
      const [admin, apiserver, key] = [
        await read('admin.crt'),
        await read('apiserver.crt'),
        await read('apiserver.key'),
      ];
      await done('certs create apiserver --names=10.0.0.99 --overwrite');
      assert.notEqual(await read('apiserver.crt'), apiserver);
      assert.notEqual(await read('apiserver.key'), key);
      assert.equal(await read('admin.crt'), admin);
      assert.equal((await certificate('apiserver')).checkIP('10.0.0.99'), '10.0.0.99');
    });

    it('agrees with another run at the same time', async () => {
      await rm(fileOf(''), { recursive: true });
      await Promise.all([done('certs create'), done('certs create')]);
      assert.equal((await run('certs check')).code, 0);
    });
  });

  describe('check', () => {
    it('shows a table, and has no exit code but 0 if all is well', async () => {
      const rows = (await done('certs check')).split('\n').map((row) => row.split(/ {2,}/));
      assert.deepEqual(rows[0], ['NAME', 'SUBJECT', 'ISSUER', 'EXPIRES', 'DAYS', 'STATUS']);
      const end = new Date((await certificate('admin')).validTo).toISOString().slice(0, 10);
      assert.deepEqual(rows[1], ['admin', 'admin (system:masters)', 'client-ca', end, '364', 'ok']);
    });

    it('fails if a certificate ends within the given time', async () => {
      const { code, err } = await run(`certs check --within=${366 * 24}h`);
      assert.equal(code, 1);
      assert.match(err, /^error: 12 of 17 certificates and keys need attention/);
      assert.deepEqual(await problemsOf('admin', ` --within=${366 * 24}h`), ['expires soon']);
      assert.deepEqual(await problemsOf('ca', ` --within=${366 * 24}h`), []);
    });

    it('finds certificates that do not fit their key or CA, and keys that others can read', async () => {
      await cp(fileOf('scheduler.key'), fileOf('admin.key'));
      await chmod(fileOf('etcd-client.key'), 0o640);
      await cp(fileOf('scheduler.key'), fileOf('service-account.key'));
      await writeFile(fileOf('proxy-client.crt'), 'x');
      // Another CA of the same name.
      await run('certs create ca --overwrite');
      const all = await checked();
      const wrong = [...all.values()].filter(({ problems }) => problems.length > 0);
      assert.deepEqual(
        wrong.map(({ name, problems }) => [name, ...problems]),
        [
          ['admin', 'is for another key'],
          ['apiserver', 'is not signed by a CA of the folder'],
          ['etcd-client', 'others can access its key'],
          ['proxy-client', 'is no certificate in PEM'],
          ['service-account', 'is for another key'],
        ],
      );
      assert.equal((await run('certs check')).code, 1);
    });

    it('reads folders of other layouts, and certificates whose keys are elsewhere', async () => {
      await rename(fileOf('etcd-ca.crt'), fileOf('kept'));
      await cp(fileOf(''), path.join(directory, 'other', 'etcd'), { recursive: true });
      await rm(path.join(directory, 'other', 'etcd', 'admin.key'));
      await rename(fileOf('kept'), path.join(directory, 'other', 'root.crt'));
      await done('certs check --cert-dir=other');
      const { code, err } = await run('certs check --cert-dir=none');
      assert.equal(code, 1);
      assert.match(err, /none/);
    });
  });

  describe('renew', () => {
    it('keeps key, subject, names and usages, and gives another serial number', async () => {
      const old = await certificate('etcd-a-peer');
      const key = await read('etcd-a-peer.key');
      assert.equal(await done('certs renew etcd-a-peer --lifetime=48h'), 'replaced pki/etcd-a-peer.crt\n');
      const renewed = await certificate('etcd-a-peer');
      assert.equal(await read('etcd-a-peer.key'), key);
      assert.notEqual(renewed.serialNumber, old.serialNumber);
      for (const field of ['subject', 'subjectAltName', 'keyUsage', 'issuer'] as const) {
        assert.deepEqual(renewed[field], old[field], field);
      }
      const leftMs = Date.parse(renewed.validTo) - Date.now();
      assert.ok(leftMs > dayMs && leftMs <= 2 * dayMs, renewed.validTo);
      assert.deepEqual(await problemsOf('etcd-a-peer', ' --within=1h'), []);
    });

    it('makes new keys when it is asked to, and leaves CAs alone', async () => {
      const [key, authority] = [await read('admin.key'), await read('client-ca.crt')];
      await done('certs renew --new-keys');
      assert.notEqual(await read('admin.key'), key);
      assert.equal((await stat(fileOf('admin.key'))).mode & 0o777, 0o600);
      assert.equal(await read('client-ca.crt'), authority);
      await done('certs check');
    });

    it('renews what ends within a time alone', async () => {
      await done('certs renew scheduler --lifetime=2h');
      const replaced = (await done('certs renew --within=24h --lifetime=8760h')).match(/^replaced.*/gm);
      assert.deepEqual(replaced, ['replaced pki/scheduler.crt']);
    });

    it('renews a CA without a new key so that what it has signed stays valid', async () => {
      const leaf = await read('admin.crt');
      await done('certs renew client-ca');
      await done('certs check');
      assert.equal(await read('admin.crt'), leaf);
    });

    it('replaces the key of a CA in steps, in each of which all is trusted', async () => {
      const old = await certificate('client-ca');
      const count = async (): Promise<number> => (await read('client-ca.crt')).split('BEGIN').length - 1;
      await done('certs renew client-ca --new-keys');
      assert.equal(await count(), 2, 'the old CA is trusted as long as it is needed');
      await done('certs check');
      await done('certs renew');
      await done('certs renew client-ca');
      assert.equal(await count(), 1);
      assert.ok(!(await certificate('client-ca')).publicKey.equals(old.publicKey));
      await done('certs check');
      await done('certs renew ca admin apiserver --new-keys');
      await done('certs check');
    });

    it('goes on where an interrupted renewal has written the key alone', async () => {
      await cp(fileOf('scheduler.key'), fileOf('admin.key'));
      await done('certs renew admin');
      await done('certs check');
      const key = createPublicKey(createPrivateKey(await read('scheduler.key')));
      assert.ok((await certificate('admin')).publicKey.equals(key));
    });

    it('changes no file if a certificate cannot be renewed', async () => {
      const faults: readonly (readonly [prepare: () => Promise<unknown>, line: string, error: RegExp])[] = [
        [
          () => rm(fileOf('client-ca.key')),
          'certs renew',
          /admin\.crt is not signed by a CA of the folder that has its key/,
        ],
        [() => rm(fileOf('admin.key')), 'certs renew apiserver admin', /admin\.crt has no private key beside it/],
        [async () => {}, 'certs renew apiserver nobody', /nobody\.crt does not exist/],
        [
          () => done('certs renew client-ca --lifetime=1h'),
          'certs renew apiserver admin',
          /admin\.crt ends with its CA: renew client-ca first/,
        ],
      ];
      for (const [prepare, text, error] of faults) {
        await cp(made, directory, { recursive: true, force: true });
        await prepare();
        const before = await read('apiserver.crt');
        const { code, out, err } = await run(text);
        assert.deepEqual([code, out], [1, ''], text);
        assert.match(err, error);
        assert.equal(await read('apiserver.crt'), before);
      }
    });
  });
});
