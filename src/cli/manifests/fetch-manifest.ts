import { pause } from '../../async/timers.ts';
import { CliError } from '../cli-error.ts';

/** Installation manifests have a few megabytes. */
const sizeLimitBytes = 64 * 1024 * 1024;
const attempts = 3;
const pauseMs = 500;

/** Reads the file at a URL; repeats a request that fails with 5xx twice. */
export async function fetchManifest(url: string, signal: AbortSignal): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { signal }).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new CliError(`cannot read ${url}: ${rootMessage(cause)}`, { cause });
    });
    if (response.ok) return readBody(url, response);
    await response.body?.cancel();
    if (response.status < 500 || attempt === attempts) {
      throw new CliError(`cannot read ${url}: the server answered ${response.status} ${response.statusText}`);
    }
    await pause(pauseMs, signal);
  }
}

async function readBody(url: string, { body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The chunks of a response are bytes.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > sizeLimitBytes) throw new CliError(`${url} has more than ${sizeLimitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}
