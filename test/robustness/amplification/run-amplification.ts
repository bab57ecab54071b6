import { AssertionError } from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { define, definitions } from '../../http/custom-resources/widgets.ts';
import { request } from '../../http/http-client.ts';
import { longestBlockMs, measureBlocks } from '../large-bodies/loop-blocks.ts';
import { randomFrom } from '../random.ts';
import { climb, type Cost, type Tried } from './climb.ts';
import type { SentRequest, Shape, Sizes } from './shape.ts';
import { shapes } from './shapes.ts';

/** What `make robustness ARGS="..."` selects this by, as it selects scenarios. */
export const amplificationName = 'amplification of small inputs';

/** The largest body and query of a request. */
const [largestBody, longestPath] = [3 * 1024 * 1024, 60_000];

/** The memory that one request may take, beside the values of its body. */
const mostBytes = 64 * 1024 * 1024;
/** The memory of the values of a body, for each of its bytes: short keys with a number each. */
const bytesOfByte = 40;

const rounds = 25;

/** Grows an input of each shape, and prints the worst ones. Returns whether all kept the limits. */
export async function runAmplification(seed: number, scale: number): Promise<boolean> {
  await using server = await startServer({ store: 'memory' });
  const random = randomFrom(seed);
  let bad = 0;
  for (const shape of shapes) {
    const worst = await climb({
      start: shape.start,
      measure: measureWith(server, shape),
      random: () => random.next(),
      rounds: rounds * scale,
      isEnough: isTooMuch,
    });
    const isBad = worst !== undefined && isTooMuch(worst.cost);
    if (isBad) bad++;
    console.log(`${isBad ? 'FAIL' : 'ok  '}  ${shape.name}: ${worst ? shown(worst) : 'no input was taken'}`);
  }
  return bad === 0;
}

function isTooMuch({ blockMs, bytes }: Cost): boolean {
  return blockMs > longestBlockMs || bytes > mostBytes;
}

function shown({ sizes, cost: { blockMs, bytes } }: Tried): string {
  const given = Object.entries(sizes).map(([name, size]) => `${name} ${size}`);
  return `${Math.round(blockMs)} ms, ${Math.round(bytes / 1024 / 1024)} MB for ${given.join(', ')}`;
}

let groups = 0;

function measureWith(server: TestServer, shape: Shape): (sizes: Sizes) => Promise<Cost | undefined> {
  return async (sizes) => {
    const group = `g${groups++}.example.com`;
    const { definition, before = [], request: sent } = shape.make(sizes, group);
    const bodies = [...before, sent].map(({ body = '' }) => body.length);
    if (sent.path.length > longestPath || Math.max(...bodies) > largestBody) return undefined;
    const defined = definition ? await costOfDefinition(server, definition) : noCost;
    if (!defined) return undefined;
    for (const one of before) await send(server, one);
    const cost = await costOf(server, sent);
    if (definition) await request(server, 'DELETE', `${definitions}/widgets.${group}`);
    else await request(server, 'DELETE', '/api/v1/namespaces/default/configmaps');
    return { blockMs: Math.max(cost.blockMs, defined.blockMs), bytes: Math.max(cost.bytes, defined.bytes) };
  };
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

async function costOf(server: TestServer, sent: SentRequest): Promise<Cost> {
  const { blockMs, bytes } = await costOfWork(() => send(server, sent));
  return { blockMs, bytes: Math.max(0, bytes - (sent.body?.length ?? 0) * bytesOfByte) };
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

async function send(server: TestServer, { method, path, body, contentType, accept }: SentRequest): Promise<void> {
  await request(server, method, path, body, {
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(accept === undefined ? {} : { accept }),
  });
}
