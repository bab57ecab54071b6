import { connect as connectTls } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { openByteStream } from '../byte-stream.ts';
import { selections } from '../selections.ts';
import type { SoakTarget } from '../soak-client.ts';
import { repeat, type SoakContext } from '../soak-context.ts';

/** Asks for lists and cuts the connection at some point of the answer, and sends requests that it never finishes. */
export async function runAborter(context: SoakContext, protocol: 'http1' | 'http2', pauseMs: number): Promise<void> {
  const { random, target, signal, count } = context;
  await repeat(context, 'abort', pauseMs, async () => {
    count('aborted');
    if (random.next() < 0.3) return sendHalfAWrite(target, random.between(0, 50));
    const { path, query } = random.pick(selections);
    const pretty: Record<string, string> = random.next() < 0.3 ? { pretty: '1' } : {};
    const opened = openByteStream(
      target,
      protocol,
      `${path}?${new URLSearchParams({ ...query, ...pretty }).toString()}`,
    );
    const stream = await opened;
    stream.onData(() => undefined);
    await sleep(random.between(0, 20), undefined, { signal }).catch(() => undefined);
    stream.close();
  });
}

/** Announces a large body, sends part of it and goes away. */
async function sendHalfAWrite({ url, ca, token }: SoakTarget, ms: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connectTls({ host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => undefined);
  const head = [
    'POST /api/v1/namespaces/default/configmaps HTTP/1.1',
    `Host: ${hostname}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 2000000',
    '',
    '{"data":{"half":"',
  ].join('\r\n');
  socket.write(head + 'x'.repeat(100_000));
  await sleep(ms);
  socket.destroy();
}

/** Asks for a large list or a watch and does not read for some seconds, then reads on or goes away. */
export async function runSlowReader(context: SoakContext, protocol: 'http1' | 'http2', pauseMs: number): Promise<void> {
  const { random, target, signal, count } = context;
  await repeat(context, 'slow reader', pauseMs, async () => {
    const { path } = random.pick(selections);
    const query = random.pick(['pretty=1', '', 'watch=1&resourceVersion=0']);
    const stream = await openByteStream(target, protocol, `${path}?${query}`);
    count('slow readers');
    await sleep(random.between(1_000, 30_000), undefined, { signal }).catch(() => undefined);
    if (random.next() < 0.5) {
      stream.onData(() => undefined);
      await sleep(random.between(10, 1_000), undefined, { signal }).catch(() => undefined);
    }
    stream.close();
  });
}
