import { PassThrough, type Duplex, type Readable, type Writable } from 'node:stream';
import { noInput, type Program, type ProgramCall, type TerminalSize } from '../programs/program-call.ts';
import { serveSpdy } from './spdy-session.ts';
import type { ServerSocket } from './accept-web-socket.ts';

/** The first byte of each message of a WebSocket. */
const channels = Object.freeze({ stdin: 0, stdout: 1, stderr: 2, status: 3, size: 4, close: 255 });
const defaultSize: TerminalSize = Object.freeze({ columns: 80, rows: 24 });
const largestPart = 16 * 1024;
/** The time in which a client opens all streams of a program, as with other node agents. */
const streamsTimeoutMs = 30_000;

/** Runs a program over the channels of a WebSocket. */
export function programOverWebSocket(
  socket: ServerSocket,
  query: URLSearchParams,
  program: Program,
  signal: AbortSignal,
): void {
  const stdin = new PassThrough();
  const gone = new AbortController();
  let size = defaultSize;
  const receive = async (): Promise<void> => {
    for await (const message of socket.messages) {
      const [channel, first] = message;
      if (channel === channels.size) size = sizeOf(message.subarray(1).toString(), size);
      else if (channel === channels.close && first === channels.stdin) stdin.end();
      else if (channel === channels.stdin && message.length > 1 && !stdin.writableEnded && !stdin.destroyed) {
        if (!stdin.write(message.subarray(1))) await drained(stdin);
      }
    }
    stdin.end();
    gone.abort();
  };
  void receive().catch(() => gone.abort());
  const sendOn = (channel: number, asked: boolean) => async (data: string | Uint8Array) => {
    const bytes = Buffer.from(asked ? data : '');
    for (let at = 0; at < bytes.length; at += largestPart) {
      await socket.send(Buffer.concat([Buffer.of(channel), bytes.subarray(at, at + largestPart)]));
    }
  };
  const call: ProgramCall = {
    stdin: query.has('input') ? stdin : noInput(),
    out: sendOn(channels.stdout, query.has('output')),
    err: sendOn(channels.stderr, query.has('error')),
    tty: query.has('tty'),
    size: () => size,
    signal: AbortSignal.any([signal, gone.signal]),
  };
  const finish = async (): Promise<void> => {
    const status = JSON.stringify(await statusOf(program, call));
    await socket.send(Buffer.concat([Buffer.of(channels.status), Buffer.from(status)]));
    stdin.destroy();
    socket.close();
  };
  void finish();
}

/** Runs a program over SPDY, when all its streams are open. */
export function programOverSpdy(
  transport: Duplex,
  query: URLSearchParams,
  program: Program,
  signal: AbortSignal,
): void {
  const wanted = ['error', ...parameters.filter(([name]) => query.has(name)).map(([, stream]) => stream)];
  const streams = new Map<string, Duplex>();
  const gone = new AbortController();
  const late = setTimeout(() => transport.destroy(new Error('the streams are not all open')), streamsTimeoutMs);
  transport.once('close', () => {
    clearTimeout(late);
    gone.abort();
  });
  let size = defaultSize;
  let started = false;
  serveSpdy(transport, ({ headers, duplex }) => {
    const type = headers.get('streamtype') ?? '';
    if (type === 'resize') duplex.on('data', (chunk: Buffer) => (size = sizeOf(chunk.toString(), size)));
    else streams.set(type, duplex);
    if (started || !wanted.every((name) => streams.has(name))) return;
    started = true;
    clearTimeout(late);
    const call: ProgramCall = {
      stdin: streams.get('stdin') ?? noInput(),
      out: (data) => writeTo(streams.get('stdout'), data),
      err: (data) => writeTo(streams.get('stderr'), data),
      tty: query.has('tty'),
      size: () => size,
      signal: AbortSignal.any([signal, gone.signal]),
    };
    const finish = async (): Promise<void> => {
      await writeTo(streams.get('error'), JSON.stringify(await statusOf(program, call)));
      for (const stream of streams.values()) stream.end();
    };
    void finish();
  });
}

/** The parameters of the query for the streams. */
const parameters: readonly (readonly [name: string, stream: string])[] = [
  ['input', 'stdin'],
  ['output', 'stdout'],
  ['error', 'stderr'],
];

async function statusOf(program: Program, call: ProgramCall): Promise<object> {
  try {
    const code = await program(call);
    return code === 0 ? { metadata: {}, status: 'Success' } : failed(code);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { metadata: {}, status: 'Failure', reason: 'InternalError', message, code: 500 };
  }
}

function failed(code: number): object {
  return {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

/** Waits until a stream takes more; it may be closed before. */
function drained(stream: Readable & Writable): Promise<void> {
  return new Promise((resolve) => stream.once('drain', resolve).once('close', resolve));
}

function writeTo(stream: Writable | undefined, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (!stream?.writable || data.length === 0) return resolve();
    stream.write(data, () => resolve());
  });
}

/** The size in a message of the client; the previous one if it cannot be read. */
function sizeOf(text: string, previous: TerminalSize): TerminalSize {
  try {
    const { Width: columns, Height: rows }: { readonly Width?: unknown; readonly Height?: unknown } = JSON.parse(text);
    return typeof columns === 'number' && typeof rows === 'number' ? { columns, rows } : previous;
  } catch {
    return previous;
  }
}
