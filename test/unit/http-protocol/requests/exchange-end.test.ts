import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExchangeEnd } from '../../../../src/http-protocol/requests/http-exchange.ts';
import { OpenExchange } from '../../../../src/api/request/exchange.ts';
import { OpenRequests } from '../../../../src/http-protocol/requests/open-requests.ts';
import { idleConnections } from '../../../idle-connections.ts';

interface Server extends AsyncDisposable {
  /** Sends a GET; the exchange is given to the test once it is open. */
  get(handle: (exchange: OpenExchange) => void): http.ClientRequest;
}

async function startServer(): Promise<Server> {
  const requests = new OpenRequests({ stuckReaderMs: 0, maxBodyBytes: 0, maxAnswerBytes: 0 });
  let next: ((exchange: OpenExchange) => void) | undefined;
  const server = http.createServer(idleConnections, (request, response) =>
    next?.(requests.open(request, response, OpenExchange)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    get(handle) {
      next = handle;
      const request = http.get({ host: '127.0.0.1', port, agent: false });
      request.on('error', () => undefined);
      request.on('response', (response) => response.resume());
      return request;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The end of an exchange, as `onEnd` reports it. */
function endOf(exchange: OpenExchange): Promise<ExchangeEnd> {
  return new Promise((resolve) => exchange.onEnd(resolve));
}

describe('the end of an exchange', () => {
  it('reports the status, the bytes and the duration of a response', async () => {
    await using server = await startServer();
    const end = await new Promise<ExchangeEnd>((resolve) => {
      server.get((exchange) => {
        void endOf(exchange).then(resolve);
        exchange.sentBytes = 5;
        setTimeout(() => exchange.response.writeHead(404) && exchange.response.end(Buffer.from('12345')), 20);
      });
    });
    const { durationMs, ...rest } = end;
    assert.deepEqual(rest, { status: 404, bytes: 5, aborted: false });
    assert.ok(durationMs >= 15, String(durationMs));
  });

  it('reports that a client disconnected before the response was complete, and before it started', async () => {
    await using server = await startServer();
    for (const status of [200, 0]) {
      const end = await new Promise<ExchangeEnd>((resolve) => {
        const request = server.get((exchange) => {
          void endOf(exchange).then(resolve);
          if (status !== 0) {
            exchange.response.writeHead(status);
            exchange.response.write(Buffer.from('part'));
          }
          setTimeout(() => request.destroy(), 20);
        });
      });
      assert.equal(end.aborted, true);
      assert.equal(end.status, status);
    }
  });

  it('is reported to listeners in their order, and immediately to a late one', async () => {
    await using server = await startServer();
    const order: string[] = [];
    const exchange = await new Promise<OpenExchange>((resolve) => server.get(resolve));
    for (const name of ['a', 'b']) exchange.onEnd(() => order.push(name));
    const ended = endOf(exchange);
    assert.equal(exchange.ended, false);
    exchange.response.end();
    const end = await ended;
    assert.equal(exchange.ended, true);
    exchange.onEnd((late) => order.push(late === end ? 'late' : 'another'));
    assert.deepEqual(order, ['a', 'b', 'late']);
  });

  it('is reported to `onDone` listeners when the work is done too', async () => {
    await using server = await startServer();
    const ends: ExchangeEnd[] = [];
    let request: http.ClientRequest | undefined;
    const exchange = await new Promise<OpenExchange>((resolve) => (request = server.get(resolve)));
    exchange.onDone((end) => ends.push(end));
    const ended = endOf(exchange);
    request?.destroy();
    const end = await ended;
    assert.equal(ends.length, 0);
    exchange.handled();
    exchange.handled();
    exchange.onDone((late) => ends.push(late));
    assert.deepEqual(ends, [end, end]);
  });

  it('is reported to them after the response if the work was done before', async () => {
    await using server = await startServer();
    const exchange = await new Promise<OpenExchange>((resolve) => server.get(resolve));
    const order: string[] = [];
    exchange.onDone(() => order.push('done'));
    exchange.onEnd(() => order.push('end'));
    exchange.handled();
    assert.deepEqual(order, []);
    const ended = endOf(exchange);
    exchange.response.end();
    await ended;
    await nextTurn();
    assert.deepEqual(order, ['end', 'done']);
  });
});
