import assert from 'node:assert/strict';
import { DirectRequest } from '../../../../src/http-protocol/messages/direct-request.ts';
import { sourceAddresses } from '../../../../src/http-protocol/messages/source-addresses.ts';

describe('a request of a client in this process', () => {
  const headers = ['host', 'server', 'Accept', 'first', 'accept', 'second'];
  const request = new DirectRequest({ method: 'PUT', path: '/a?b=c', headers, body: Buffer.from('text') });

  it('has method, target and headers as node:http shows them', () => {
    assert.deepEqual([request.method, request.url, request.httpVersion], ['PUT', '/a?b=c', '1.1']);
    assert.deepEqual(request.headers, { host: 'server', accept: 'first' });
    assert.deepEqual(request.rawHeaders, headers);
  });

  it('comes from this machine, for its audit record', () => {
    assert.deepEqual(sourceAddresses(request), ['127.0.0.1']);
  });

  it('has a body that can be passed on', async () => {
    assert.equal(Buffer.concat(await request.readable().toArray()).toString(), 'text');
  });
});
