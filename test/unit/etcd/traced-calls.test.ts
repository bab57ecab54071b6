import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { UnaryCalls } from '../../../src/etcd/grpc/unary-calls.ts';
import type { Tracing } from '../../../src/tracing/span.ts';

describe('calls to etcd of a process that traces', () => {
  it('have the header of the running span, each its own', async () => {
    const seen: unknown[] = [];
    const server = createServer();
    server.on('stream', (stream, headers) => {
      seen.push(headers['traceparent']);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(Buffer.alloc(5));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const spans: string[] = [];
    const tracing: Tracing = {
      root: () => assert.fail(),
      child(name, attributes, work) {
        spans.push(`${name} ${attributes()['rpc.method']}`);
        return work();
      },
      current: () => undefined,
      headers: () => ({ traceparent: `00-${'1'.repeat(32)}-${String(spans.length).repeat(16)}-01` }),
      close: async () => {},
    };
    const { port } = server.address() as AddressInfo;
    const calls = new UnaryCalls(`http://127.0.0.1:${port}`, undefined, { tracing });
    await calls.call('Range', Buffer.alloc(5), 10_000);
    await calls.call('Txn', Buffer.alloc(5), 10_000);
    calls.close();
    server.close();
    assert.deepEqual(spans, ['etcdserverpb.KV/Range Range', 'etcdserverpb.KV/Txn Txn']);
    assert.deepEqual(
      seen,
      ['1', '2'].map((digit) => `00-${'1'.repeat(32)}-${digit.repeat(16)}-01`),
    );
  });
});
