import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import {
  type Claims,
  claimsOf,
  ecKey,
  pemOf,
  publicPemOf,
  rsaKey,
  serviceAccountWorld,
  type ServiceAccountWorld,
  signed,
} from './service-account-world.ts';

const pod = {
  metadata: { name: 'p' },
  spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] },
};
const secret = { metadata: { name: 's' } };
const robot = { metadata: { name: 'robot' } };

describe('tokens of service accounts', () => {
  let world: ServiceAccountWorld;
  beforeEach(async () => (world = await serviceAccountWorld({ identifiers: 'kubernetes' })));
  afterEach(() => world.stop());

  it('are their accounts, with the groups of all accounts and of the namespace', async () => {
    const podUid = await world.create('pods', pod);
    const token = await world.token({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } });
    assert.equal(await world.statusOf(token), 200);
    const own = claimsOf(token)['kubernetes.io'] as { serviceaccount: { uid: string } };
    const { authenticated, user } = await world.review(token);
    assert.equal(authenticated, true);
    assert.deepEqual(user, {
      username: 'system:serviceaccount:default:robot',
      uid: own.serviceaccount.uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/pod-name': ['p'], 'authentication.kubernetes.io/pod-uid': [podUid] },
    });
  });

  const ends: Readonly<
    Record<string, readonly [resource: string, object: { metadata: { name: string } }, kind: string]>
  > = {
    account: ['serviceaccounts', robot, ''],
    pod: ['pods', pod, 'Pod'],
    secret: ['secrets', secret, 'Secret'],
  };
  for (const [what, [resource, object, kind]] of Object.entries(ends)) {
    it(`end with their ${what}, also if it is created again`, async () => {
      if (kind !== '') await world.create(resource, object);
      const { name } = object.metadata;
      const token = await world.token(kind === '' ? {} : { boundObjectRef: { apiVersion: 'v1', kind, name } });
      assert.equal(await world.statusOf(token), 200);
      await world.remove(resource, name);
      assert.equal(await world.statusOf(token), 401, 'at the next request');
      await world.create(resource, object);
      assert.equal(await world.statusOf(token), 401, 'another UID');
    });
  }

  it('are refused if they are for others', async () => {
    assert.equal(await world.statusOf(await world.token({ audiences: ['else'] })), 401);
    assert.equal(
      await world.statusOf(await world.token({ audiences: ['else', 'https://kubernetes.default.svc'] })),
      200,
    );
  });

  it('cost one verification, however often and however many at once', async () => {
    const token = await world.token();
    await Promise.all(Array.from({ length: 20 }, () => world.statusOf(token)));
    const counts = async (): Promise<readonly number[]> => {
      const metrics = await readMetrics(world.server);
      return counted.map((series) => metrics.get(`authentication_token_cache_${series}`) ?? 0);
    };
    const [misses = 0, hits = 0, timed = 0, fetches = 0] = await counts();
    await Promise.all(Array.from({ length: 20 }, () => world.statusOf(token)));
    assert.deepEqual(await counts(), [misses, hits + 20, timed + 20, fetches, 0, 0]);
    const forged = token.replace(/\.([^.])([^.]*)$/, (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`);
    assert.equal(await world.statusOf(forged), 401);
    assert.equal((await readMetrics(world.server)).get('authentication_token_cache_fetch_total{status="error"}'), 1);
  });
});

/** Series of the cache of tokens: misses, hits twice, verifications, and what runs at present. */
const counted = [
  'request_total{status="miss"}',
  'request_total{status="hit"}',
  'request_duration_seconds_count{status="hit"}',
  'fetch_total{status="ok"}',
  'active_fetch_count{status="in_flight"}',
  'active_fetch_count{status="blocked"}',
];

function without(claims: Claims, name: string): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([other]) => other !== name));
}

/** Changes to a good token of the server: to its claims, and to its header. */
const wrongClaims: Readonly<Record<string, (claims: Claims) => Claims | string>> = {
  'that has expired': (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 120 }),
  'that is not valid yet': (claims) => ({ ...claims, nbf: Math.floor(Date.now() / 1000) + 120 }),
  'that was issued in the future': (claims) => ({ ...claims, iat: Math.floor(Date.now() / 1000) + 120 }),
  'with a text as expiry': (claims) => ({ ...claims, exp: '4102444800' }),
  'with a huge expiry': (claims) => JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400'),
  'without expiry': (claims) => without(claims, 'exp'),
  'without audience': (claims) => without(claims, 'aud'),
  'with another audience': (claims) => ({ ...claims, aud: 'https://else' }),
  'with an issuer that ends in a slash': (claims) => ({ ...claims, iss: `${String(claims['iss'])}/` }),
  'with an empty subject': (claims) => ({ ...claims, sub: '' }),
  'with the subject of another account': (claims) => ({ ...claims, sub: 'system:serviceaccount:kube-system:admin' }),
  'without private claims': (claims) => without(claims, 'kubernetes.io'),
  'with a name twice in its claims': (claims) => JSON.stringify(claims).replace('{', '{"sub":"x",'),
  'whose claims are a list': (claims) => JSON.stringify([claims]),
  'whose claims are deeply nested': () => `${'['.repeat(5000)}${']'.repeat(5000)}`,
  'of 500 kB': (claims) => ({ ...claims, groups: 'x'.repeat(500_000) }),
};
const wrongHeaders: Readonly<Record<string, object>> = {
  'that names another key': { kid: '../../dev/null' },
  'with an algorithm that the key has not': { alg: 'PS256' },
  'with an embedded key': { jwk: { kty: 'oct', k: 'AA' } },
  'with the URL of keys': { jku: 'https://127.0.0.1:1/' },
  'with the URL of certificates': { x5u: 'https://127.0.0.1:1/' },
  'with certificates': { x5c: ['AA=='] },
};

/** Parts of tokens that no library would sign. */
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('forged tokens of service accounts', () => {
  let world: ServiceAccountWorld;
  let good: string;
  before(async () => {
    world = await serviceAccountWorld({ identifiers: 'kubernetes' });
    good = await world.token();
  });
  after(() => world.stop());

  it('differ from one that the same key has signed', async () => {
    assert.equal(await world.statusOf(await signed(claimsOf(good), world.key)), 200);
    assert.equal(await world.statusOf(await signed(claimsOf(good), world.key, { alg: 'RS512' })), 200);
    assert.equal(await world.statusOf(await signed(claimsOf(good), world.key, { kid: undefined })), 200);
  });

  for (const [what, change] of Object.entries(wrongClaims)) {
    it(`are refused: one ${what}`, async () => {
      // A request that is too large for its headers may also be refused as such.
      assert.match(String(await world.statusOf(await signed(change(claimsOf(good)), world.key))), /^(401|431)$/);
    });
  }
  for (const [what, header] of Object.entries(wrongHeaders)) {
    it(`are refused: one ${what}`, async () => {
      assert.equal(await world.statusOf(await signed(claimsOf(good), world.key, header)), 401);
    });
  }

  it('are refused: unsigned, signed by another key, or signed with the public key as a secret', async () => {
    const claims = claimsOf(good);
    const [, payload = ''] = good.split('.');
    for (const alg of ['none', 'nOnE', 'None', '']) {
      assert.equal(await world.statusOf(`${encoded({ alg })}.${payload}.`), 401, alg);
      assert.equal(await world.statusOf(`${encoded({ alg })}.${payload}.AAAA`), 401, alg);
    }
    assert.equal(await world.statusOf(`${encoded({})}.${payload}.AAAA`), 401, 'no algorithm');
    const { kid } = JSON.parse(Buffer.from(good.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
    const head = `${encoded({ alg: 'HS256', kid })}.${payload}`;
    const mac = createHmac('sha256', publicPemOf(world.key)).update(head).digest('base64url');
    assert.equal(await world.statusOf(`${head}.${mac}`), 401);
    assert.equal(await world.statusOf(await signed(claims, rsaKey())), 401);
    assert.equal(await world.statusOf(await signed(claims, rsaKey(), { kid })), 401);
    assert.equal(await world.statusOf(await signed(claims, ecKey(), { kid })), 401);
  });

  it('are refused: a changed signature, and other spellings of the same bytes', async () => {
    const [header = '', payload = '', signature = ''] = good.split('.');
    const bytes = Buffer.from(signature, 'base64url');
    const signatures = {
      shorter: bytes.subarray(1).toString('base64url'),
      longer: Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url'),
      zero: Buffer.alloc(bytes.length).toString('base64url'),
      padded: `${signature}==`,
      'in the other alphabet': bytes.toString('base64').replaceAll('=', ''),
      absent: '',
    };
    for (const [what, changed] of Object.entries(signatures)) {
      if (changed === signature) continue;
      assert.equal(await world.statusOf(`${header}.${payload}.${changed}`), 401, what);
    }
    assert.equal(await world.statusOf(`${good}.x`), 401, 'four parts');
    assert.equal(await world.statusOf(`${good}.x.y`), 401, 'an encrypted token has five');
    assert.equal(await world.statusOf(`${header}=.${payload}.${signature}`), 401, 'padding in the header');
    const loose = Buffer.from([0xff, 0xfe]).toString('base64url');
    assert.equal(await world.statusOf(`${loose}.${payload}.${signature}`), 401, 'invalid UTF-8');
    for (const inner of [
      '{"alg":"RS256","alg":"none"}',
      '{"alg":"RS256","crit":["exp"],"exp":1}',
      '{"alg":"RS256","b64":false,"crit":["b64"]}',
      '{"alg":"RS256","zip":"DEF"}',
      '{"alg":"RSA-OAEP","enc":"A256GCM"}',
    ]) {
      assert.equal(
        await world.statusOf(`${Buffer.from(inner).toString('base64url')}.${payload}.${signature}`),
        401,
        inner,
      );
    }
  });

  it('are refused: one character other than in a good token, wherever it is', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=';
    for (let index = 0; index < good.length; index += 3) {
      const other = alphabet[(alphabet.indexOf(good[index] ?? '') + 1 + (index % 60)) % alphabet.length] ?? '';
      const changed = `${good.slice(0, index)}${other}${good.slice(index + 1)}`;
      if (changed !== good) assert.equal(await world.statusOf(changed), 401, changed);
    }
  });

  it('are refused: psychic signatures of EC keys', async () => {
    const key = ecKey();
    const file = path.join(world.directory, 'ec.key');
    await writeFile(file, pemOf(key), { mode: 0o600 });
    const other = await serviceAccountWorld({ serviceAccountSigningKeyFile: file });
    try {
      const token = await other.token();
      assert.equal(await other.statusOf(token), 200);
      const head = token.slice(0, token.lastIndexOf('.'));
      assert.equal(await other.statusOf(`${head}.${Buffer.alloc(64).toString('base64url')}`), 401);
    } finally {
      await other.stop();
    }
  });
});

describe('legacy tokens of service accounts', () => {
  /** The claims that the token controller signs. */
  const claims = (accountUid: string): Claims => ({
    iss: 'kubernetes/serviceaccount',
    sub: 'system:serviceaccount:default:robot',
    'kubernetes.io/serviceaccount/namespace': 'default',
    'kubernetes.io/serviceaccount/secret.name': 'robot-token',
    'kubernetes.io/serviceaccount/service-account.name': 'robot',
    'kubernetes.io/serviceaccount/service-account.uid': accountUid,
  });
  const holder = (token: string, accountUid: string): object => ({
    metadata: {
      name: 'robot-token',
      annotations: {
        'kubernetes.io/service-account.name': 'robot',
        'kubernetes.io/service-account.uid': accountUid,
      },
    },
    type: 'kubernetes.io/service-account-token',
    stringData: { token },
  });

  for (const serviceAccountLookup of [true, false]) {
    it(`end with their Secret and account ${serviceAccountLookup ? '' : 'only if these are looked up'}`, async () => {
      const world = await serviceAccountWorld({ identifiers: 'kubernetes', serviceAccountLookup });
      try {
        await world.remove('serviceaccounts', 'robot');
        const uid = await world.create('serviceaccounts', robot);
        const token = await signed(claims(uid), world.key);
        const ended = serviceAccountLookup ? 401 : 200;
        assert.equal(await world.statusOf(token), ended, 'there is no Secret yet');
        await world.create('secrets', holder(token, uid));
        assert.equal(await world.statusOf(token), 200);
        await world.remove('secrets', 'robot-token');
        assert.equal(await world.statusOf(token), ended);
        await world.create('secrets', holder(`${token.slice(0, -4)}AAAA`, uid));
        assert.equal(await world.statusOf(token), ended, 'the Secret has another token');
        await world.remove('secrets', 'robot-token');
        await world.create('secrets', holder(token, uid));
        assert.equal(await world.statusOf(token), 200);
        await world.remove('serviceaccounts', 'robot');
        assert.equal(await world.statusOf(token), ended);
        await world.create('serviceaccounts', robot);
        assert.equal(await world.statusOf(token), ended, 'another UID');
      } finally {
        await world.stop();
      }
    });
  }

  it('need all of their claims', async () => {
    const world = await serviceAccountWorld({ identifiers: 'kubernetes', serviceAccountLookup: false });
    try {
      for (const name of Object.keys(claims('u')).slice(1)) {
        assert.equal(await world.statusOf(await signed(without(claims('u'), name), world.key)), 401, name);
      }
    } finally {
      await world.stop();
    }
  });
});

describe('keys of service account tokens', () => {
  it('are replaced while the server runs: earlier tokens stay valid while their key is listed', async () => {
    const [first, second] = [ecKey('P-384'), ecKey('P-521')];
    const world = await serviceAccountWorld();
    const signing = path.join(world.directory, 'a.key');
    const listed = path.join(world.directory, 'all.pem');
    await writeFile(signing, pemOf(first), { mode: 0o600 });
    await writeFile(listed, publicPemOf(first));
    const other = await serviceAccountWorld({
      serviceAccountSigningKeyFile: signing,
      serviceAccountKeyFiles: [listed],
      certificateReloadMs: 20,
    });
    try {
      const earlier = await other.token();
      assert.equal(await other.statusOf(earlier), 200);
      await writeFile(signing, pemOf(second), { mode: 0o600 });
      const algorithmOf = (token: string): string =>
        (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { alg: string }).alg;
      await until('tokens are signed with the new key', async () => algorithmOf(await other.token()) === 'ES512');
      const later = await other.token();
      assert.deepEqual([await other.statusOf(earlier), await other.statusOf(later)], [200, 200]);
      await writeFile(listed, publicPemOf(second));
      await until('tokens of the first key are refused', async () => (await other.statusOf(earlier)) === 401);
      assert.equal(await other.statusOf(later), 200);
    } finally {
      await other.stop();
      await world.stop();
    }
  });

  it('are generated without files', async () => {
    const world = await serviceAccountWorld();
    const certDir = path.join(world.directory, 'pki');
    const tokens: string[] = [];
    for (const options of [{}, { certDir }]) {
      const other = await serviceAccountWorld({ ...options, generatesKey: true });
      try {
        const token = await other.token();
        assert.equal(await other.statusOf(token), 200);
        tokens.push(token);
      } finally {
        await other.stop();
      }
    }
    assert.equal(new Set(tokens.map((token) => token.split('.')[0])).size, 2, 'two keys');
    await world.stop();
  });

  const unusable: Readonly<Record<string, readonly [text: string, message: RegExp]>> = {
    'a text that is no key': ['zork', /contains no PEM block with a key/],
    'an RSA key of 1024 bits': [pemOf(rsaKey(1024)), /an RSA key needs at least 2048 bits/],
    'a key on another curve': [pemOf(ecKey('secp256k1')), /a key must be RSA, or EC/],
    'a damaged key': ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', /that cannot be read/],
  };
  for (const [what, [text, message]] of Object.entries(unusable)) {
    it(`are refused at the start: ${what}`, async () => {
      const world = await serviceAccountWorld();
      const file = path.join(world.directory, 'bad.pem');
      await writeFile(file, text);
      try {
        await assert.rejects(serviceAccountWorld({ serviceAccountKeyFiles: [file] }), (error: Error) => {
          assert.match(error.message, message);
          assert.ok(error.message.startsWith(`--service-account-key-file ${file}: `), error.message);
          return true;
        });
        if (what === 'a text that is no key') return;
        await assert.rejects(
          serviceAccountWorld({ serviceAccountSigningKeyFile: file }),
          new RegExp('^Error: --service-account-signing-key-file '),
        );
      } finally {
        await world.stop();
      }
    });
  }
});
