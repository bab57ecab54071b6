import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCli } from '../../../../src/cli/commands/run-cli.ts';
import { writeAdminConfig } from '../../../../src/cli/up/admin-config.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import { generateKey } from '../../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate } from '../../../../src/pki/issue-certificate.ts';
import { answer, type SeenRequest, startTlsServer, type TlsServer } from '../../outbound/start-tls-server.ts';

const discovery = {
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: {},
      versions: [
        {
          version: 'v1',
          resources: [
            { resource: 'secrets', responseKind: { kind: 'Secret' }, scope: 'Namespaced', singularResource: 'secret' },
            {
              resource: 'nodes',
              responseKind: { kind: 'Node' },
              scope: 'Cluster',
              singularResource: 'node',
              shortNames: ['no'],
            },
          ],
        },
      ],
    },
  ],
};
const plainResources = {
  kind: 'APIResourceList',
  resources: [{ name: 'secrets', kind: 'Secret', namespaced: true, singularName: 'secret' }],
};
const notFound = { kind: 'Status', code: 404, reason: 'NotFound', message: 'secrets "x" not found' };

function table(name: string, columnDefinitions: unknown): object {
  return { kind: 'Table', columnDefinitions, rows: [{ cells: [name] }] };
}

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('the command line', () => {
  let server: TlsServer;
  let directory: string;
  let handle: (request: SeenRequest, response: ServerResponse) => void;

  before(async () => {
    server = await startTlsServer();
    directory = await mkdtemp(join(tmpdir(), 'cli-'));
    const { server: origin, ca = '' } = server.settings;
    const key = await generateKey();
    const certificatePem = await issueAuthorityCertificate(key, 'client CA', new Date(Date.now() + 3600_000));
    const identifiers = identifiersOf('cluster');
    await writeAdminConfig({
      dataDir: directory,
      identifiers,
      server: origin,
      servingCaPem: ca,
      clientAuthority: { key, certificatePem },
    });
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });
  beforeEach(() => {
    server.seen.length = 0;
    handle = (_, response) => answer(response, 404, notFound);
    server.handle = (request, response) => {
      const known: Record<string, unknown> = {
        '/api': discovery,
        '/apis': { kind: 'APIGroupDiscoveryList', items: [] },
        '/api/v1': plainResources,
        '/version': { gitVersion: 'v1.23.0' },
      };
      if (known[request.url]) answer(response, 200, known[request.url]);
      else handle(request, response);
    };
  });

  async function run(
    args: readonly string[],
    options: { stdin?: string; env?: Record<string, string>; signal?: AbortSignal; terminal?: object } = {},
  ): Promise<Outcome> {
    const [out, err] = [new PassThrough(), new PassThrough()];
    Object.assign(out, options.terminal);
    const code = await runCli(args, {
      stdin: Readable.from([options.stdin ?? '']),
      stdout: out,
      stderr: err,
      env: { HOME: directory, ...(options.env ?? { CLIENTCONFIG: 'admin.clientconfig' }) },
      directory,
      signal: options.signal ?? AbortSignal.timeout(60_000),
    });
    return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') };
  }
  const requests = () =>
    server.seen.filter(({ url }) => !/^\/apis?$|^\/api\/v1$/.test(url)).map(({ method, url }) => `${method} ${url}`);

  it('shows the table of the server', async () => {
    handle = (_, response) =>
      answer(response, 200, {
        kind: 'Table',
        metadata: {},
        columnDefinitions: [{ name: 'Name' }, { name: 'Type' }],
        rows: [{ cells: ['a', 'Opaque'] }, { cells: ['longer', 'tls'] }],
      });
    assert.deepEqual(await run(['get', 'secrets', '-n', 'work', '-l', 'x=y']), {
      code: 0,
      out: 'NAME     TYPE\na        Opaque\nlonger   tls\n',
      err: '',
    });
    assert.deepEqual(requests(), ['GET /api/v1/namespaces/work/secrets?labelSelector=x%3Dy&limit=500']);
    assert.match(server.seen.at(-1)?.headers.accept ?? '', /as=Table;v=v1;g=meta\.cl\.io/);
  });

  it('shows one object as it is, every digit of it', async () => {
    handle = (_, response) =>
      void response.end('{"kind":"Secret","metadata":{"name":"a"},"count":9223372036854775807}');
    const { out } = await run(['get', 'secret', 'a', '-o', 'json']);
    assert.match(out, /^ {4}"count": 9223372036854775807,$/m);
    assert.match((await run(['get', 'secret', 'a', '-o', 'yaml'])).out, /^count: 9223372036854775807$/m);
  });

  it('shows several objects as a List, pages joined, each with its type', async () => {
    handle = ({ url }, response) => {
      const second = url.includes('continue=t');
      answer(response, 200, {
        kind: 'SecretList',
        metadata: second ? {} : { continue: 't' },
        items: [{ metadata: { name: second ? 'b' : 'a' } }],
      });
    };
    const { out } = await run(['get', 'secrets', '-A', '-o', 'json']);
    const list: unknown = JSON.parse(out);
    assert.deepEqual(list, {
      apiVersion: 'v1',
      kind: 'List',
      metadata: { resourceVersion: '' },
      items: ['a', 'b'].map((name) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } })),
    });
    assert.equal((await run(['get', 'secrets', '-o', 'name'])).out, 'secret/a\nsecret/b\n');
  });

  it('follows changes with -w', async () => {
    handle = ({ url }, response) => {
      if (!url.includes('watch=true')) {
        answer(response, 200, Object.assign(table('a', [{ name: 'Name' }]), { metadata: { resourceVersion: '7' } }));
        return;
      }
      response.write(`${JSON.stringify({ type: 'MODIFIED', object: table('b', [{ name: 'Name' }]) })}\n`);
      response.end(`${JSON.stringify({ type: 'MODIFIED', object: table('c', null) })}\n`);
    };
    assert.deepEqual(await run(['get', 'secrets', 'a', '-w']), { code: 0, out: 'NAME\na\nb\nc\n', err: '' });
    assert.deepEqual(requests(), [
      'GET /api/v1/namespaces/default/secrets/a',
      'GET /api/v1/namespaces/default/secrets?watch=true&resourceVersion=7&fieldSelector=metadata.name%3Da',
    ]);
  });

  it('exits with 130 when it is interrupted', async () => {
    handle = (_, response) => response.flushHeaders();
    const outcome = await run(['get', 'secrets', '-w'], { signal: AbortSignal.timeout(100) });
    assert.deepEqual(outcome, { code: 130, out: '', err: '' });
  });

  it('says when there is nothing, on stderr', async () => {
    handle = (_, response) => answer(response, 200, { kind: 'Table', columnDefinitions: [], rows: [] });
    assert.deepEqual(await run(['get', 'secrets']), {
      code: 0,
      out: '',
      err: 'No resources found in default namespace.\n',
    });
    assert.equal((await run(['get', 'nodes'])).err, 'No resources found\n');
  });

  it('creates the documents of a file, and goes on after a refusal', async () => {
    handle = ({ method, body }, response) => {
      const object: { metadata: { name: string } } = JSON.parse(body);
      if (object.metadata.name === 'taken') {
        answer(response, 409, {
          kind: 'Status',
          code: 409,
          reason: 'AlreadyExists',
          message: 'secrets "taken" already exists',
        });
      } else answer(response, method === 'POST' ? 201 : 405, object);
    };
    await writeFile(
      join(directory, 'some.yaml'),
      '# comment\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: taken}\n---\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: b}\n',
    );
    const outcome = await run(['create', '-f', 'some.yaml']);
    assert.deepEqual(outcome, {
      code: 1,
      out: 'secret/b created\n',
      err: 'Error from server (AlreadyExists): error when creating "some.yaml": secrets "taken" already exists\nerror: 1 of 2 objects were not created\n',
    });
    assert.match(requests()[0] ?? '', /^POST \/api\/v1\/namespaces\/default\/secrets\?.*fieldValidation=Strict/);
    const list =
      '{"kind":"List","apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"c","namespace":"n"}}]}';
    assert.equal((await run(['create', '-f', '-'], { stdin: list })).out, 'secret/c created\n');
    assert.match(requests().at(-1) ?? '', /namespaces\/n\//);
  });

  it('deletes by name, by label and by file', async () => {
    handle = ({ method, url }, response) => {
      if (method === 'GET')
        answer(response, 200, {
          kind: 'SecretList',
          metadata: {},
          items: [{ metadata: { name: 'l', namespace: 'default' } }],
        });
      else if (url.endsWith('/held'))
        answer(response, 200, { kind: 'Secret', metadata: { name: 'held', finalizers: ['x/y'] } });
      else answer(response, 200, { kind: 'Status', status: 'Success' });
    };
    const lines = (...names: string[]) =>
      names.map((name) => `secret "${name}" deleted from default namespace\n`).join('');
    const at = ['delete', '--wait=false'];
    assert.equal((await run([...at, 'secret', 'a', 'held'])).out, lines('a', 'held'));
    assert.equal((await run([...at, 'secrets', '-l', 'a=b'])).out, lines('l'));
    const manifest = 'apiVersion: v1\nkind: Secret\nmetadata: {name: f}\n';
    assert.equal((await run([...at, '-f', '-'], { stdin: manifest })).out, lines('f'));
  });

  it('prints versions', async () => {
    assert.match((await run(['version'])).out, /^client \d+\.\d+\.\d+\nserver v1\.23\.0\n$/);
    assert.match((await run(['version', '--client', '-o', 'json'])).out, /"clientVersion"/);
  });

  const failures: Record<string, [string[], number, RegExp]> = {
    'an unknown type, with a suggestion': [
      ['get', 'secrts'],
      1,
      /^error: the server doesn't have a resource type "secrts" \(did you mean "secrets"\?\)\n$/,
    ],
    'an object that is not there': [
      ['get', 'secret', 'x'],
      1,
      /^Error from server \(NotFound\): secrets "x" not found\n$/,
    ],
    'an unknown command': [['gte'], 1, /^error: unknown command "gte" for "cl" \(did you mean "get"\?\)\n$/],
    'an unknown member of a command': [
      ['up', 'dwon'],
      1,
      /^error: unknown command "dwon" for "cl up" \(did you mean "down"\?\)\n$/,
    ],
    'a word for a command that takes none': [
      ['api-versions', 'apps'],
      1,
      /^error: cl api-versions takes no words \(see cl api-versions --help\)\n$/,
    ],
    'an unknown option': [['get', 'secrets', '--nope'], 1, /^error: unknown flag --nope \(see cl get --help\)\n$/],
    'an unknown format': [
      ['get', 'secrets', '-o', 'xml'],
      1,
      /output format "xml", allowed formats are: custom-columns,.*,yaml\n$/,
    ],
    'a missing argument': [['get'], 1, /you must specify the type of resource/],
    'nothing to delete': [['delete'], 1, /no objects were named \(give TYPE\/NAME, TYPE NAME/],
    'a delete of a whole collection': [['delete', 'secrets'], 1, /no name was specified \(give names, -l, or --all\)/],
    'an address that is none': [
      ['get', 'secrets', '--server=localhost:6443'],
      1,
      /^error: --server: "localhost:6443" is no address of a server \(use a URL/,
    ],
    'words of two forms': [['get', 'secret/a', 'b'], 1, /"b" is not of the form type\/name/],
    'a file that is not there': [['create', '-f', 'nope.yaml'], 1, /^error: nope.yaml does not exist \(give -f a file/],
    'a port that is none': [
      ['up', '--secure-port', '99999'],
      1,
      /--secure-port: "99999" is not valid: use a number, 1 to 65535/,
    ],
  };
  for (const [what, [args, code, message]] of Object.entries(failures)) {
    it(`fails in words for ${what}`, async () => {
      const outcome = await run(args);
      assert.equal(outcome.code, code, outcome.err);
      assert.match(outcome.err, message);
      assert.equal(outcome.out, '');
    });
  }

  it('says what to do without a client config and without a server', async () => {
    const lost = await run(['get', 'secrets', '--clientconfig', 'nope'], { env: {} });
    assert.match(lost.err, /^error: cannot read \S*nope: it does not exist\n$/);
    await writeFile(
      join(directory, 'away'),
      'clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]\ncontexts: [{name: c, context: {cluster: a}}]\ncurrent-context: c\n',
    );
    const away = await run(['get', 'secrets', '--clientconfig', 'away']);
    assert.equal(away.code, 1);
    assert.match(
      away.err,
      /^error: cannot reach https:\/\/127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1 \(start a server with "cl up"/,
    );
  });

  it('takes flags before, between and after the words of a command', async () => {
    handle = ({ url }, response) => answer(response, 200, { kind: 'Secret', metadata: { name: url } });
    const path = '/api/v1/namespaces/work/secrets/a';
    for (const line of [
      '-n work get secret a -oname',
      'get --namespace=work secret -o=name a',
      'get secret a -nwork -o name',
    ]) {
      assert.equal((await run(line.split(' '))).out, `secret/${path}\n`, line);
    }
    const group = await run(['auth']);
    assert.equal(group.code, 0);
    assert.match(group.out, /^Commands:\n {2}auth can-i /);
    assert.equal(
      (await run(['auth', 'can-j'])).err,
      'error: unknown command "auth can-j" for "cl" (did you mean "auth can-i"?)\n',
    );
    assert.equal((await run(['aut'])).err, 'error: unknown command "aut" for "cl" (did you mean "auth"?)\n');
  });

  it('asks the server again if what it kept of its types is damaged', async () => {
    handle = (_, response) => answer(response, 200, { kind: 'Secret', metadata: { name: 'a' } });
    const folder = join(directory, '.cl/cache/discovery');
    const { server: origin } = server.settings;
    const file = join(folder, `${createHash('sha256').update(origin).digest('hex').slice(0, 32)}.json`);
    await mkdir(folder, { recursive: true });
    for (const kept of [
      '{',
      '[]',
      JSON.stringify({ form: 1, server: origin, parts: [null] }),
      JSON.stringify({ form: 1, server: origin, parts: [{ etag: '"x"', discovery: {} }] }),
    ]) {
      await writeFile(file, kept);
      assert.equal((await run(['get', 'secret', 'a', '-o', 'name'])).out, 'secret/a\n', kept);
    }
  });

  it('takes help as a command, and as the last word of a group', async () => {
    for (const [line, same] of [
      ['help', '--help'],
      ['help get', 'get --help'],
      ['help auth can-i', 'auth can-i --help'],
      ['help auth', 'auth --help'],
      ['auth help', 'auth --help'],
      ['create help', 'create --help'],
    ] as const) {
      const { code, out } = await run(line.split(' '));
      assert.equal(code, 0, line);
      assert.equal(out, (await run(same.split(' '))).out, line);
    }
    assert.match((await run(['help', 'gte'])).err, /^error: unknown command "gte" for "cl"/);
    assert.match((await run(['__complete', 'help', 'auth', 'can'])).out, /^can-i\t/);
  });

  it('breaks the lines of help at the edge of a narrow terminal', async () => {
    const widest = (text: string) => Math.max(...text.split('\n').map(({ length }) => length));
    for (const line of ['--help', 'help get', 'config --help', 'options']) {
      const { out } = await run(line.split(' '), { terminal: { isTTY: true, columns: 60 } });
      // Examples are pasted as they are.
      assert.ok(widest(out.replaceAll(/^ {2}(?:cl|#) .*$/gm, '')) <= 60, out);
      assert.ok(widest((await run(line.split(' '))).out) > 60, line);
    }
  });

  it('prints help to stdout, with examples', async () => {
    const { out: flagsOfUp } = await run(['up', '--help']);
    assert.match(flagsOfUp, /^Controllers:$/m);
    for (const args of [['--help'], ['get', '--help'], ['up', '-h']]) {
      const { code, out } = await run(args);
      assert.equal(code, 0);
      assert.match(out, /Examples:/);
    }
  });
});
