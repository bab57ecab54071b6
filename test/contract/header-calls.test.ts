import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HeaderCalls } from '../../src/etcd/header-calls.ts';
import { type LocalEtcd, startLocalEtcd } from '../../src/etcd/local-etcd.ts';
import { openEtcdStore } from '../../src/storage/etcd-store.ts';

describe('The short call for the header of etcd', () => {
  let etcd: LocalEtcd;
  let dataDir: string;

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'cl-header-calls-'));
    etcd = await startLocalEtcd({ dataDir });
  });

  after(async () => {
    await etcd.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('answers the revision of the last write, whoever made it', async () => {
    const calls = new HeaderCalls(etcd.endpoint, undefined);
    const store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix: '/a' });
    const { revision } = await store.create('/a/1', Buffer.from('x'));
    const header = await calls.read(Buffer.from('/a/'));
    assert.equal(Number(header?.revision), revision);
    assert.match(header?.cluster_id ?? '', /^[1-9]\d+$/);
    await store.close();
    calls.close();
    assert.equal(await calls.read(Buffer.from('/a/')), undefined);
  });

  it('answers nothing where nobody listens', async () => {
    const calls = new HeaderCalls('http://127.0.0.1:1', undefined);
    assert.equal(await calls.read(Buffer.from('/a/')), undefined);
    calls.close();
  });

  const answers: readonly { readonly what: string; readonly status: string; readonly body: Buffer }[] = [
    { what: 'that the call failed', status: '14', body: Buffer.alloc(0) },
    { what: 'success without a message', status: '0', body: Buffer.alloc(0) },
    { what: 'success with half a message', status: '0', body: Buffer.from([0, 0, 0, 0, 9, 0x0a, 4]) },
  ];
  for (const { what, status, body } of answers) {
    it(`answers nothing where etcd says ${what}`, async () => {
      const server = await grpcServer(status, body);
      const calls = new HeaderCalls(`http://127.0.0.1:${portOf(server)}`, undefined);
      assert.equal(await calls.read(Buffer.from('/a/')), undefined);
      calls.close();
      server.close();
    });
  }

  it('gives up on one who says nothing, and asks anew the next time', async () => {
    const server = createServer();
    let sessions = 0;
    server.on('session', () => sessions++);
    server.on('stream', (stream) => stream.on('error', () => {}));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const calls = new HeaderCalls(`http://127.0.0.1:${portOf(server)}`, undefined);
    assert.equal(await calls.read(Buffer.from('/a/')), undefined);
    assert.equal(await calls.read(Buffer.from('/a/')), undefined);
    assert.equal(sessions, 2);
    calls.close();
    server.close();
  });
});

async function grpcServer(status: string, body: Buffer): Promise<Http2Server> {
  const server = createServer();
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }));
    stream.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

// The address of a listening TCP server is an AddressInfo.
function portOf(server: Http2Server): number {
  return (server.address() as AddressInfo).port;
}
