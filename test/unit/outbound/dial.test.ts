import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { addressPolicy } from '../../../src/outbound/address-policy.ts';
import { dial } from '../../../src/outbound/dial.ts';

const allows = addressPolicy({ allowedNetworks: ['127.0.0.1/32'], isOwnPort: () => false });
const { signal } = new AbortController();

describe('a connection to another server', () => {
  let server: Server;
  let port: string;

  before(async () => {
    server = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A listening TCP server has such an address.
    port = String((server.address() as AddressInfo).port);
  });
  after(() => server.close());

  it('goes to the address that was checked, and the name is looked up once', async () => {
    let lookUps = 0;
    const lookUp = async () => [{ address: lookUps++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    const socket = await dial({ host: 'rebound.example', port }, { allows, timeoutMs: 5000, signal, lookUp });
    assert.deepEqual([socket.remoteAddress, lookUps], ['127.0.0.1', 1]);
    socket.destroy();
  });

  it('uses only those addresses of a name that are allowed', async () => {
    const lookUp = async () =>
      ['127.0.0.2', '::1', '127.0.0.1'].map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const socket = await dial({ host: 'several.example', port }, { allows, timeoutMs: 5000, signal, lookUp });
    assert.equal(socket.remoteAddress, '127.0.0.1');
    socket.destroy();
    const none = async () => [{ address: '127.0.0.2', family: 4 }];
    const refused = dial({ host: 'none.example', port }, { allows, timeoutMs: 5000, signal, lookUp: none });
    await assert.rejects(refused, { name: 'DialError', code: 'not-allowed', message: 'address not allowed' });
  });

  it('reports failures in the words of Go', async () => {
    const limits = { allows, timeoutMs: 5000, signal };
    const failures: readonly (readonly [host: string, port: string, message: string])[] = [
      ['127.0.0.1', '1', 'dial tcp 127.0.0.1:1: connect: connection refused'],
      ['127.0.0.1', '65536', 'dial tcp: address 65536: invalid port'],
      ['127.0.0.1', 'web', 'dial tcp: lookup tcp/web: unknown port'],
      ['none.invalid', '80', 'dial tcp: lookup none.invalid: no such host'],
    ];
    const lookUp = () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    for (const [host, at, message] of failures) {
      await assert.rejects(dial({ host, port: at }, { ...limits, lookUp }), { name: 'DialError', message });
    }
  });

  it('gives up after its time, in the handshake too, and when it is aborted', async () => {
    const never = () => new Promise<never>(() => {});
    const lookUp = dial({ host: 'slow.example', port }, { allows, timeoutMs: 20, signal, lookUp: never });
    await assert.rejects(lookUp, { message: `dial tcp slow.example:${port}: i/o timeout` });
    const handshake = dial({ host: '127.0.0.1', port, tls: {} }, { allows, timeoutMs: 100, signal });
    await assert.rejects(handshake, { message: `dial tcp 127.0.0.1:${port}: i/o timeout` });
    const aborted = AbortSignal.abort();
    const stopped = dial({ host: '127.0.0.1', port }, { allows, timeoutMs: 5000, signal: aborted });
    await assert.rejects(stopped, { code: 'cancelled' });
  });
});
