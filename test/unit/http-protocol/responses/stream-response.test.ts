import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenExchange } from '../../../../src/api/request/exchange.ts';
import { OpenRequests } from '../../../../src/http-protocol/requests/open-requests.ts';
import { streamResponse } from '../../../../src/http-protocol/responses/stream-response.ts';
import { idleConnections } from '../../../idle-connections.ts';

const piece = Buffer.alloc(512 * 1024, 'x');
const pieces = 3;
const readers = 20;

async function lengthOfGet(port: number): Promise<number> {
  const request = http.get({ host: '127.0.0.1', port, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) length += chunk.length;
  return length;
}

/** Counts events; `stop` returns the most in one turn of the event loop. */
function countTurns(): { add(): void; stop(): number } {
  let inTurn = 0;
  let most = 0;
  let next = setImmediate(turn);
  function turn(): void {
    inTurn = 0;
    next = setImmediate(turn);
  }
  return {
    add: () => (most = Math.max(most, ++inTurn)),
    stop() {
      clearImmediate(next);
      return most;
    },
  };
}

describe('large responses to many clients', () => {
  it('share the time of a turn of the event loop, and all arrive', async () => {
    const requests = new OpenRequests({ stuckReaderMs: 0, maxBodyBytes: 0, maxAnswerBytes: 0 });
    const counter = countTurns();
    const begin: (() => Promise<void>)[] = [];
    await using server = http.createServer(idleConnections, (request, response) => {
      const exchange = requests.open(request, response, OpenExchange);
      const write = response.write.bind(response);
      response.write = (chunk: Buffer): boolean => {
        // The time that encryption takes, and more.
        for (const end = performance.now() + 1.5; performance.now() < end; );
        counter.add();
        return write(chunk);
      };
      const body = { length: pieces * piece.length, chunks: Array.from({ length: pieces }, () => piece) };
      begin.push(() => streamResponse(exchange, { status: 200, contentType: 'text/plain', body }));
      if (begin.length === readers) for (const start of begin) void start();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // A listening TCP server has such an address.
    const { port } = server.address() as AddressInfo;
    const lengths = await Promise.all(Array.from({ length: readers }, () => lengthOfGet(port)));
    const most = counter.stop();
    for (const length of lengths) assert.equal(length, pieces * piece.length);
    assert.ok(most <= 2, `${most} large writes in one turn`);
  });
});
