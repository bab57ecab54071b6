import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Duplex, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { closeAfterResponse } from '../../../../src/http-protocol/requests/close-after-response.ts';
import { OpenExchange } from '../../../../src/api/request/exchange.ts';
import { OpenRequests } from '../../../../src/http-protocol/requests/open-requests.ts';
import { idleConnections } from '../../../idle-connections.ts';
import { blockThread } from '../../../block-thread.ts';
import { until } from '../../../http/until.ts';

/** Reads the beginning of a response, waits for the flag, and reports the number of bytes at its end. */
const readerCode = `
  const { parentPort, workerData: { port, flag } } = require('node:worker_threads');
  const socket = require('node:net').connect(port, '127.0.0.1');
  let bytes = 0;
  socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n');
  socket.on('data', (chunk) => (bytes += chunk.length));
  socket.once('data', () => Atomics.wait(flag, 0, 0));
  socket.on('error', () => {});
  socket.on('close', () => parentPort.postMessage(bytes));
`;

describe('a client is not given up because the event loop was late', () => {
  it('while it took bytes of a large response', async () => {
    const stuckReaderMs = 1_000;
    const requests = new OpenRequests({ stuckReaderMs, maxBodyBytes: 0, maxAnswerBytes: 0 });
    // Much more than the buffers of a connection, on both of its sides.
    const chunks = Array.from({ length: 1_000 }, () => Buffer.alloc(64 * 1024));
    let exchange: OpenExchange | undefined;
    const server = http.createServer(idleConnections, (request, response) => {
      exchange = requests.open(request, response, OpenExchange);
      Readable.from(chunks).pipe(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const reader = new Worker(readerCode, { eval: true, workerData: { port, flag } });
    const ended = once(reader, 'message');
    await until('the reader to stop', () => exchange !== undefined && exchange.stuckSinceMs > 0);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    blockThread(stuckReaderMs * 1.5);
    const [bytes] = (await ended) as [number];
    server.close();
    assert.ok(bytes > 64_000 * 1_024, `${bytes} bytes`);
  });

  it('while the response to a request whose time has passed is not written yet', async () => {
    const checkMs = 20;
    const requests = new OpenRequests({ stuckReaderMs: 8 * checkMs, maxBodyBytes: 0, maxAnswerBytes: 0 });
    const server = http.createServer(idleConnections, (request, response) => {
      // The deadline passes right before a check.
      setTimeout(() => {
        exchange.overdue = true;
        setImmediate(() => setImmediate(() => response.writeHead(504).end()));
      }, checkMs);
      const exchange = requests.open(request, response, OpenExchange);
      blockThread(2 * checkMs);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [response] = (await once(http.get({ port, agent: false }), 'response')) as [http.IncomingMessage];
    server.close();
    assert.equal(response.resume().statusCode, 504);
  });

  it('while it sent the rest of a body that was refused', async () => {
    const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
    closeAfterResponse(socket);
    await nextTurn();
    // As for bytes from the network, its callback runs when the loop polls.
    stat('.', () => socket.push('x'));
    blockThread(700);
    for (let left = 10; left > 0; left--) await nextTurn();
    assert.equal(socket.destroyed, false);
    await once(socket, 'close');
  });
});
