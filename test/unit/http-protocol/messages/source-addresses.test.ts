import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Http2Request } from '../../../../src/http-protocol/messages/http2-request.ts';
import { http2Settings } from '../../../../src/http-protocol/messages/server-settings.ts';
import { sourceAddresses } from '../../../../src/http-protocol/messages/source-addresses.ts';

describe('the address of a client over HTTP/2', () => {
  it('is known at the end of its request too, and is none after its connection', async () => {
    const server = createServer({ Http2ServerRequest: http2Settings.Http2ServerRequest }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const requests: Http2Request[] = [];
    server.on('request', (request: unknown, response: Http2ServerResponse) => {
      requests.push(request as Http2Request);
      response.end();
    });
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const send = async (): Promise<Http2Request> => {
      await once(client.request().resume(), 'close');
      const request = requests.at(-1);
      assert.ok(request);
      if (!request.stream.destroyed) await once(request.stream, 'close');
      return request;
    };
    const first = await send();
    assert.deepEqual(sourceAddresses(first), ['127.0.0.1']);
    client.destroy();
    server.close();
    await once(server, 'close');
    assert.deepEqual(sourceAddresses(first), ['127.0.0.1']);
    const session = {
      destroyed: true,
      get socket(): never {
        throw new Error('unbound');
      },
    };
    assert.deepEqual(sourceAddresses({ headers: {}, session } as unknown as Http2Request), []);
  });
});
