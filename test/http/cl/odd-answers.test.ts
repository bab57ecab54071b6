import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { idleConnections } from '../../idle-connections.ts';
import { type Outcome, runCl } from './cl-runner.ts';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const known: Readonly<Record<string, object>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    resources: [
      { name: 'configmaps', kind: 'ConfigMap', namespaced: true, singularName: 'configmap', shortNames: ['cm'], verbs },
    ],
  },
};
const map = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', resourceVersion: '1' },
};

/** The bytes of a text, as Node takes those of a header, if a body follows that is no text. */
function headerOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

describe('cl and a server with odd answers', () => {
  let server: Server;
  let directory: string;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-odd-'));
    server = createServer({ ...idleConnections }, (request, response) => {
      request.resume();
      const found = known[request.url?.split('?')[0] ?? ''];
      if (found) response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
      else handle(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  });

  const cl = (...args: string[]): Promise<Outcome> => {
    const { port } = server.address() as AddressInfo;
    return runCl([`--server=http://127.0.0.1:${port}`, ...args], { directory, isUsual: true });
  };

  it('shows each warning once, as the text that it is, without control characters', async () => {
    handle = (_, response) => {
      const warnings = ['warn\u00e9 \u6f22', 'a\u009bb', 'warn\u00e9 \u6f22'];
      response.setHeader(
        'warning',
        warnings.map((text) => headerOf(`299 - "${text}"`)),
      );
      response.end(Buffer.from(JSON.stringify(map)));
    };
    const lines = 'Warning: warn\u00e9 \u6f22\nWarning: a\ufffdb\n';
    const labelled = await cl('label', 'cm', 'a', 'x=y');
    assert.deepEqual([labelled.code, labelled.err], [0, lines]);
    const strict = await cl('get', 'cm', 'a', '-o', 'name', '--warnings-as-errors');
    assert.deepEqual([strict.code, strict.err], [1, `${lines}error: the server sent 2 warnings\n`]);
  });

  it('keeps warnings that are no UTF-8, and shows no control characters of a trace', async () => {
    handle = (_, response) => {
      response.setHeader('warning', '299 - "\u00e9"');
      response.setHeader('server-timing', headerOf('admit;dur=1;desc="a\u009bb"'));
      response.end(Buffer.from(JSON.stringify(map)));
    };
    const { err } = await cl('get', 'cm', 'a', '-o', 'name', '--trace');
    assert.match(err, /^Warning: \u00e9$/m);
    assert.match(err, /a\ufffdb$/m);
  });

  for (const body of [
    '5',
    '[]',
    'null',
    '"text"',
    '{"items":5}',
    '{"items":[null]}',
    '{"metadata":null,"items":null}',
    'x',
  ]) {
    it(`says clearly that it did not understand ${body}`, async () => {
      handle = (_, response) => void response.end(body);
      for (const line of [
        'get cm',
        'get cm a',
        'get cm -w',
        'get cm a -o yaml',
        'describe cm a',
        'tree cm/a',
        'why cm/a',
        'history cm/a',
        'delete cm a --wait=false',
        'delete cm --all --wait=false',
        'label cm a x=y',
        'wait cm/a --for=delete --timeout=1s',
        'auth whoami',
        'version',
        'events',
      ]) {
        const { code, err } = await cl(...line.split(' '));
        assert.doesNotMatch(err, /undefined|null|iterable|not a function|Unexpected/, `${line}: ${err}`);
        assert.ok(code === 0 || err.startsWith('error: ') || err.startsWith('Error from server'), `${line}: ${err}`);
      }
    });
  }

  it('names the request whose answer it did not understand', async () => {
    handle = (_, response) => void response.end('null');
    const collection = '/api/v1/namespaces/default/configmaps';
    const hint = 'is this the address of an API server? See "server" in the client config';
    assert.equal(
      (await cl('get', 'cm', 'a')).err,
      `error: the server sent no object for GET ${collection}/a (${hint})\n`,
    );
    handle = (_, response) => void response.end('{"items":5}');
    const { err } = await cl('events');
    assert.match(err, /^error: the server sent no list for GET \/api/);
  });

  it('reads only the beginning of an error without an end', async () => {
    let isOpen = true;
    handle = (_, response) => {
      response.writeHead(500);
      response.on('close', () => (isOpen = false));
      const piece = Buffer.alloc(1024 * 1024, 'x');
      const write = (): void => {
        if (isOpen && response.write(piece)) setImmediate(write);
      };
      response.on('drain', write);
      write();
    };
    const { code, err } = await cl('get', 'cm', 'a');
    assert.equal(code, 1);
    assert.match(err, /^error: the server sent more than 4194304 bytes \(is this/);
  });

  it('shows a limited number of causes', async () => {
    handle = (_request, response) => {
      const causes = Array.from({ length: 20_000 }, (_, index) => ({ field: `spec.f${index}`, message: 'is wrong' }));
      const details = { kind: 'ConfigMap', name: 'a', causes };
      response.writeHead(422);
      response.end(
        JSON.stringify({ kind: 'Status', status: 'Failure', code: 422, reason: 'Invalid', message: 'x', details }),
      );
    };
    const { err } = await cl('label', 'cm', 'a', 'x=y');
    assert.match(err, /^The ConfigMap "a" is invalid:\n\* spec\.f0: is wrong\n/);
    assert.match(err, /\n\* spec\.f99: is wrong\n\* and 19900 more\n$/);
  });

  it('sends no request to a path that a name leads out of', async () => {
    const seen: string[] = [];
    handle = (request, response) => {
      seen.push(request.url ?? '');
      response.end(JSON.stringify(map));
    };
    const ways = [
      ['-n', '..', 'delete', 'cm', '--all'],
      ['-n', '..', 'get', 'cm'],
      ['-n', '.', 'label', 'cm', 'a', 'x=y'],
      ['-n', '..', 'create', 'token', 'a'],
      ['get', 'cm', '..'],
    ];
    for (const way of ways) {
      const { code, err } = await cl(...way);
      assert.equal(code, 1, err);
      assert.match(err, /^error: "\.\.?" cannot be the name of an? /m);
    }
    assert.deepEqual(seen, []);
  });
});
