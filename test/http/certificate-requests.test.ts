import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';

const requests = '/apis/certificates.cl.io/v1/certificatesigningrequests';

describe('certificate signing requests that hold none', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  const send = (more: object): Promise<HttpResponse> =>
    request(server, 'POST', requests, {
      metadata: { name: 'a' },
      spec: { signerName: 'example.com/signer', usages: ['client auth'], ...more },
    });

  const shown: readonly (readonly [what: string, spec: object, value: string])[] = [
    ['text that is no PEM', { request: Buffer.from('hi').toString('base64') }, '[]byte{0x68, 0x69}'],
    ['an empty text', { request: '' }, '[]byte{}'],
    ['no request', {}, '[]byte(nil)'],
  ];
  for (const [what, spec, value] of shown) {
    it(`are refused with the bytes of ${what}`, async () => {
      const response = await send(spec);
      assert.equal(response.status, 422);
      const text = `spec.request: Invalid value: ${value}: PEM block type must be CERTIFICATE REQUEST`;
      assert.ok((response.body as { message: string }).message.endsWith(text), response.text);
    });
  }

  it('are refused for text around the block', async () => {
    const pem = '-----BEGIN CERTIFICATE REQUEST-----\naGk=\n-----END CERTIFICATE REQUEST-----\nhi';
    const response = await send({ request: Buffer.from(pem).toString('base64') });
    assert.match(response.text, /PEM block must be the only one, without text before or after it/);
  });
});
