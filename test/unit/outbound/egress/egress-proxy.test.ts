import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEgressMetrics } from '../../../../src/outbound/egress/egress-metrics.ts';
import { egressTunnel } from '../../../../src/outbound/egress/egress-proxy.ts';

describe('a tunnel through a proxy without TLS', () => {
  const sockets: Socket[] = [];
  let answer = '';
  let asked = '';
  let port: number;
  const proxy = createServer((socket) => {
    sockets.push(socket);
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        asked = bytes.toString();
        if (answer !== '') socket.write(answer);
      });
  });
  before(async () => {
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    ({ port } = proxy.address() as AddressInfo);
  });
  after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });

  const open = (given: string, { at = port, timeoutMs = 60_000 } = {}): Promise<Socket> => {
    answer = given;
    const tunnel = egressTunnel({ host: '127.0.0.1', port: at }, createEgressMetrics());
    return tunnel({ host: 'fd00::1', port: 443 }, AbortSignal.timeout(timeoutMs));
  };

  it('is asked for in the form of kube-apiserver, and carries bytes after the time for its opening', async () => {
    const socket = await open('HTTP/1.1 200 OK\r\n\r\n', { timeoutMs: 1_500 });
    await sleep(1_600);
    assert.match(asked, /^CONNECT \[fd00::1\]:443 HTTP\/1\.1\r\nhost: 127\.0\.0\.1\r\n/i);
    sockets.at(-1)?.write('from the server');
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    assert.equal(bytes.toString(), 'from the server');
    socket.destroy();
  });

  it('is refused if the proxy sends more than its response, another status, too much, or nothing in time', async () => {
    const place = `127.0.0.1:${port}`;
    for (const [given, message] of [
      ['HTTP/1.1 200 OK\r\n\r\nhello', `unexpected 5 bytes of buffered data from CONNECT proxy "${place}"`],
      [
        'HTTP/1.1 204 No Content\r\n\r\n',
        `proxy error from ${place} while dialing [fd00::1]:443, code 204: 204 No Content`,
      ],
      [
        `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
        `reading HTTP response from CONNECT to [fd00::1]:443 via proxy ${place} failed: the headers are too large`,
      ],
    ] as const) {
      await assert.rejects(open(given), { code: 'unreachable', message });
    }
    await assert.rejects(open('', { timeoutMs: 20 }), { message: `dial tcp ${place}: i/o timeout` });
    await assert.rejects(open('', { at: 1 }), { message: 'dial tcp 127.0.0.1:1: connect: connection refused' });
  });
});
