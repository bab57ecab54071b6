import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { identifiesClients } from '../../../../src/server/access/authenticators.ts';
import { isLoopback, isLoopbackEndpoint } from '../../../../src/config/loopback.ts';
import { parseFlags } from '../../../../src/config/parse-flags.ts';
import { checkSecurity } from '../../../../src/server/security-checks.ts';

/** Flags with TOKENS and CA in place of files that identify clients, and what the start says to them. */
interface Case {
  readonly flags: readonly string[];
  /** The server does not start; the message has this. */
  readonly refused?: RegExp;
  /** It starts with exactly these warnings. */
  readonly warned?: readonly RegExp[];
}

const ca = '--client-ca-file=CA';
const tokens = '--token-auth-file=TOKENS';
const here = '--bind-address=127.0.0.1';
const anonymous = '--anonymous-auth';
const noIdentity = /^no authentication is configured: set --client-ca-file or --token-auth-file/;
const openDoor = /would make everyone who can connect to .* an administrator: set --bind-address=127.0.0.1, or remove/;
const allAdministrators = /^--authorization-mode=AlwaysAllow: every client with a valid credential is an administrator/;
const longLived = /^--token-auth-file: tokens do not expire/;

const cases: readonly Case[] = [
  { flags: [], refused: noIdentity },
  { flags: [here], refused: noIdentity },
  { flags: ['--bind-address=::1'], refused: noIdentity },
  { flags: ['--bind-address=192.0.2.1'], refused: noIdentity },
  { flags: [here, '--anonymous-auth=false'], refused: noIdentity },
  { flags: ['--authorization-mode=AlwaysDeny'], refused: noIdentity },
  { flags: ['--token-auth-file=EMPTY', here], refused: noIdentity },
  { flags: [anonymous], refused: openDoor },
  { flags: [anonymous, '--bind-address=::'], refused: openDoor },
  { flags: [anonymous, ca], refused: openDoor },
  {
    flags: [anonymous, here],
    warned: [/^anonymous requests are allowed .* AlwaysAllow: every process on this machine/],
  },
  { flags: [anonymous, '--authorization-mode=AlwaysDeny'], warned: [] },
  { flags: [ca, here], warned: [] },
  { flags: ['--service-account-signing-key-file=key', here], warned: [] },
  { flags: ['--service-account-key-file=key', here], warned: [] },
  {
    flags: ['--service-account-signing-key-file=EXPOSED', here],
    warned: [/can read or write .*exposed.csv; use mode 600/],
  },
  { flags: ['--enable-bootstrap-token-auth', here], warned: [] },
  { flags: [ca], warned: [allAdministrators] },
  { flags: [ca, '--bind-address=2001:db8::1'], warned: [allAdministrators] },
  { flags: [ca, '--authorization-mode=AlwaysDeny'], warned: [] },
  { flags: [anonymous, '--authorization-mode=AlwaysDeny,AlwaysAllow'], refused: openDoor },
  {
    flags: [ca, '--authorization-mode=AlwaysDeny,AlwaysAllow'],
    warned: [/^--authorization-mode=AlwaysDeny,AlwaysAllow: every client with a valid credential is an administrator/],
  },
  {
    flags: [ca, '--authorization-mode=Node,RBAC'],
    warned: [/^--authorization-mode=Node without --enable-admission-plugins=NodeRestriction: every node can change/],
  },
  {
    flags: [ca, '--authorization-mode=Webhook', '--authorization-webhook-config-file=EXPOSED'],
    warned: [/^other users .* can read or write .*exposed\.csv; use mode 600$/],
  },
  { flags: [ca, '--authorization-mode=Node,RBAC', '--enable-admission-plugins=NodeRestriction'], warned: [] },
  { flags: [tokens, here], warned: [longLived] },
  {
    flags: ['--token-auth-file=EXPOSED', here],
    warned: [longLived, /^other users .* can read or write .*exposed\.csv; use mode 600$/],
  },
  { flags: [ca, here, '--etcd-servers=http://127.0.0.1:1,localhost:2,http://[::1]:3'], warned: [] },
  { flags: [ca, here, '--etcd-servers=https://etcd:2379'], warned: [] },
  {
    flags: [ca, here, '--etcd-servers=http://etcd:2379'],
    warned: [/^connections to http:\/\/etcd:2379 do not use TLS: others on the network/],
  },
  { flags: [ca, here, '--etcd-servers=10.0.0.1:2379'], warned: [/^connections to 10\.0\.0\.1:2379/] },
  { flags: [ca, here, '--storage-endpoint=grpc://store:1'], warned: [/^connections to grpc:\/\/store:1/] },
  { flags: [ca, here, '--storage-endpoint=grpcs://store:1'], warned: [] },
  { flags: [ca, here, '--etcd-cafile=CA'], warned: [/^--client-ca-file and --etcd-cafile are the same file/] },
  { flags: [ca, here, '--authorization-always-allow-paths=/livez,/version'], warned: [] },
  {
    flags: [ca, here, '--authorization-always-allow-paths=/livez,/metrics'],
    warned: [/^--authorization-always-allow-paths: \/metrics can be read without credentials/],
  },
];

describe('the security of a start', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-security-'));
    const write = async (name: string, text: string, mode: number): Promise<void> => {
      await writeFile(path.join(directory, name), text);
      await chmod(path.join(directory, name), mode);
    };
    await write('tokens.csv', 'a-token,ann,1\n', 0o640);
    await write('exposed.csv', 'a-token,ann,1\n', 0o644);
    await write('empty.csv', '# none yet\n', 0o600);
    await write('ca.crt', '', 0o644);
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const check = async (flags: readonly string[]): Promise<readonly string[]> => {
    const files = { TOKENS: 'tokens.csv', EXPOSED: 'exposed.csv', EMPTY: 'empty.csv', CA: 'ca.crt' };
    const named = flags.map((flag) =>
      Object.entries(files).reduce((text, [word, file]) => text.replace(`=${word}`, `=${directory}/${file}`), flag),
    );
    const options = parseFlags(named);
    return await checkSecurity(options, await identifiesClients(options));
  };

  for (const { flags, refused, warned = [] } of cases) {
    const outcome = refused ? 'refuses' : warned.length > 0 ? 'warns of' : 'accepts';
    it(`${outcome} ${flags.join(' ') || 'the defaults'}`, async () => {
      if (refused) return await assert.rejects(check(flags), { message: refused });
      const said = await check(flags);
      assert.equal(said.length, warned.length, said.join('\n'));
      for (const [index, message] of warned.entries()) assert.match(said[index] ?? '', message);
      return undefined;
    });
  }
});

describe('a loopback address', () => {
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1', 'localhost']) {
    it(`is ${host}`, () => assert.ok(isLoopback(host)));
  }
  for (const host of ['0.0.0.0', '::', '128.0.0.1', '::ffff:10.0.0.1', 'localhost.example', '']) {
    it(`is not ${JSON.stringify(host)}`, () => assert.ok(!isLoopback(host)));
  }
  it('is found in URLs and in host:port', () => {
    assert.ok(isLoopbackEndpoint('https://[::1]:2379'));
    assert.ok(isLoopbackEndpoint('localhost:2379'));
    assert.ok(!isLoopbackEndpoint('http://127.0.0.1.example:2379'));
    assert.ok(!isLoopbackEndpoint('http://localhost@etcd:2379'));
  });
});
