import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as send } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../../src/client/client.ts';
import { createServer, type Server } from '../../../src/server/create-server.ts';
import { openHttp2, openStream } from '../limits/raw-clients.ts';
import { request, type Target } from '../http-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

/** Together longer than the lists whose bytes are kept for the next ones. */
const objects = 1_200;
const copies = 1_900;
const textOf = (name: string): string => `${name} of many `.repeat(copies);

interface List {
  readonly items: readonly { readonly metadata?: { readonly name?: string }; readonly data?: { text?: string } }[];
}

function checkList({ items }: List): void {
  const named = items.filter(({ metadata }) => metadata?.name?.startsWith('o'));
  assert.equal(named.length, objects);
  for (const { metadata, data } of named) assert.ok(data?.text === textOf(metadata?.name ?? ''), metadata?.name);
}

/** Reads a stream to its end; with pauses, the server often waits for it. */
async function listIn(stream: AsyncIterable<Buffer>, pauseMs: number): Promise<List> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    if (pauseMs > 0 && chunks.length % 32 === 0) await sleep(pauseMs);
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as List;
}

async function overHttp1(server: Target, pauseMs: number): Promise<List> {
  const headers = { authorization: `Bearer ${server.token}` };
  const outgoing = send(`${server.url}${configMaps}`, { ca: server.ca, headers, agent: false }).end();
  // Answers of node:https are such messages.
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  return listIn(response, pauseMs);
}

async function overHttp2(server: Target, pauseMs: number): Promise<List> {
  const session = await openHttp2(server);
  const list = await listIn(openStream(server, session, { ':path': configMaps }), pauseMs);
  session.close();
  return list;
}

describe('a list that is too long for its bytes to be kept', () => {
  const token = 'secret';
  let server: Server;
  let target: Target;
  before(async () => {
    server = await createServer({
      tokens: [{ token, username: 'admin', groups: ['system:masters'] }],
      logLevel: 'error',
    });
    target = { url: server.url, ca: server.ca, token };
    for (let index = 0; index < objects; index++) {
      const object = { metadata: { name: `o${index}` }, data: { text: textOf(`o${index}`) } };
      assert.equal((await request(target, 'POST', configMaps, object)).status, 201);
    }
  });
  after(() => server.close());

  it('is whole for fast and slow readers at a time, over HTTP/1.1 and HTTP/2', async () => {
    const pauses = [0, 2];
    const reads = pauses.flatMap((pauseMs) => [overHttp1(target, pauseMs), overHttp2(target, pauseMs)]);
    for (const list of await Promise.all(reads)) checkList(list);
  });

  it('is whole for a client in the process of the server, which gets the bytes themselves', async () => {
    const client = createClient({ server: server.url, token, namespace: 'default', direct: server.direct });
    const resource = client.resource({ group: '', version: 'v1', resource: 'configmaps' });
    checkList(await resource.list({ namespace: 'default' }));
    await client.close();
  });
});
