import { AssertionError } from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { define, definitions } from '../../http/custom-resources/widgets.ts';
import { agentOf, request } from '../../http/http-client.ts';
import { startTlsServer, type TlsServer } from '../../unit/outbound/start-tls-server.ts';
import { longestBlockMs, measureBlocks } from '../large-bodies/loop-blocks.ts';
import { randomFrom } from '../random.ts';
import { climb, type Cost, type Tried } from './climb.ts';
import type { SentRequest, Shape, Sizes } from './shape.ts';
import { shapes } from './shapes.ts';

/** What `make robustness ARGS="..."` selects this by, as it selects scenarios. */
export const amplificationName = 'amplification of small inputs';

/** The largest body and query of a request. */
const [largestBody, longestPath] = [3 * 1024 * 1024, 60_000];

/** The largest answer of a webhook; the rest of a larger one is not read. */
const largestAnswer = 4 * 1024 * 1024;
const emptyReview = JSON.stringify({ request: { uid: '', objects: [] } });

/** The memory that one request may take, beside the values of its body. */
const mostBytes = 64 * 1024 * 1024;
/** The memory of the values of a body, for each of its bytes: short keys with a number each. */
const bytesOfByte = 40;
/** The memory of a list, for each of its bytes: those that are sent, and those that are received. */
const readsOfByte = 2;

const rounds = 12;

/** Grows an input of each shape, and prints the worst ones. Returns whether all kept the limits. */
export async function runAmplification(seed: number, scale: number): Promise<boolean> {
  await using server = await startServer({ store: 'memory' });
  const webhook = await startTlsServer();
  const random = randomFrom(seed);
  let bad = 0;
  for (const shape of shapes) {
    const worst = await climb({
      start: shape.start,
      measure: measureWith({ server, webhook }, shape),
      random: () => random.next(),
      rounds: rounds * scale,
      isEnough: isTooMuch,
    });
    const isBad = worst !== undefined && isTooMuch(worst.cost);
    if (isBad) bad++;
    console.log(`${isBad ? 'FAIL' : 'ok  '}  ${shape.name}: ${worst ? shown(worst) : 'no input was taken'}`);
  }
  await webhook.stop();
  return bad === 0;
}

/** The server that is measured, and that of its webhooks. */
interface World {
  readonly server: TestServer;
  readonly webhook: TlsServer;
}

function isTooMuch({ blockMs, bytes }: Cost): boolean {
  return blockMs > longestBlockMs || bytes > mostBytes;
}

function shown({ sizes, cost: { blockMs, bytes } }: Tried): string {
  const given = Object.entries(sizes).map(([name, size]) => `${name} ${size}`);
  return `${Math.round(blockMs)} ms, ${Math.round(bytes / 1024 / 1024)} MB for ${given.join(', ')}`;
}

let groups = 0;

function measureWith({ server, webhook }: World, shape: Shape): (sizes: Sizes) => Promise<Cost | undefined> {
  const { server: url, ca = '' } = webhook.settings;
  const hook = { url, caBundle: Buffer.from(ca).toString('base64') };
  return async (sizes) => {
    const group = `g${groups++}.example.com`;
    const input = made(() => shape.make(sizes, group, hook));
    if (!input) return undefined;
    const { definition, before = [], request: sent, after = [], answer } = input;
    if (isTooLarge([...before, sent]) || (answer && answer(emptyReview).length > largestAnswer)) return undefined;
    webhook.seen.length = 0;
    webhook.handle = ({ body }, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(answer?.(body));
    const defined = definition ? await costOfDefinition(server, definition) : noCost;
    if (!defined) return undefined;
    for (const one of before) await send(server, one);
    const cost = await costOf(server, sent, storedBytes(before));
    for (const one of after) await send(server, one);
    if (definition) await request(server, 'DELETE', `${definitions}/widgets.${group}`);
    else await request(server, 'DELETE', '/api/v1/namespaces/default/configmaps');
    return { blockMs: Math.max(cost.blockMs, defined.blockMs), bytes: Math.max(cost.bytes, defined.bytes) };
  };
}

/** Undefined for an input that is longer than a text can be. */
function made<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isTooLarge(all: readonly SentRequest[]): boolean {
  return all.some(({ path, body = '' }) => path.length > longestPath || body.length > largestBody);
}

const noCost: Cost = { blockMs: 0, bytes: 0 };

/** Undefined for a definition that is refused: there are no objects of it. */
async function costOfDefinition(server: TestServer, definition: JsonObject): Promise<Cost | undefined> {
  try {
    return await costOfWork(() => define(server, definition));
  } catch (error) {
    if (error instanceof AssertionError) return undefined;
    throw error;
  }
}

/** Reads go through what is stored, and the client of a list is in this process. */
function storedBytes(before: readonly SentRequest[]): number {
  return before.reduce((sum, { body = '' }) => sum + body.length * readsOfByte, 0);
}

async function costOf(server: TestServer, sent: SentRequest, stored: number): Promise<Cost> {
  const { blockMs, bytes } = await costOfWork(() => send(server, sent));
  return { blockMs, bytes: Math.max(0, bytes - stored - (sent.body?.length ?? 0) * bytesOfByte) };
}

async function costOfWork(work: () => Promise<void>): Promise<Cost> {
  const start = heldBytes();
  let most = start;
  const timer = setInterval(() => (most = Math.max(most, heldBytes())), 5);
  const { blockMs } = await measureBlocks(work);
  clearInterval(timer);
  return { blockMs, bytes: Math.max(most, heldBytes()) - start };
}

function heldBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function send(server: TestServer, sent: SentRequest): Promise<void> {
  // A watch is broken off, and the client takes no more than 16 KB of headers, which warnings can be.
  await read(server, sent).catch(() => undefined);
}

async function read(server: TestServer, sent: SentRequest): Promise<void> {
  const { method, path, body, contentType, accept, readForMs } = sent;
  const response = await agentOf(server).request({
    origin: server.url,
    path,
    method,
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
      ...(accept === undefined ? {} : { accept }),
    },
    ...(body === undefined ? {} : { body }),
    ...(readForMs === undefined ? {} : { signal: AbortSignal.timeout(readForMs) }),
  });
  // Not kept: the client is in the process that is measured.
  await response.body.dump({ limit: Number.POSITIVE_INFINITY });
}
