import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { runCommand } from './run-command.ts';
import { serveSpdy, type SpdyStream } from '../../src/nodes/agent-server/protocols/spdy-session.ts';

/** Accepts an upgrade to SPDY with the first of the client's stream protocols that is known. */
export function acceptSpdy(request: IncomingMessage, socket: Duplex, head: Buffer, known: readonly string[]): void {
  const offered = String(request.headers['x-stream-protocol-version'] ?? '').split(/,\s*/);
  const chosen = offered.find((protocol) => known.includes(protocol));
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'];
  socket.write([...lines, `X-Stream-Protocol-Version: ${chosen}`, '', ''].join('\r\n'));
  if (head.length > 0) socket.unshift(head);
}

/** Serves a command over SPDY: it runs when all streams of the request are open. */
export function serveCommandOverSpdy(transport: Duplex, query: URLSearchParams): void {
  const wanted = ['error', ...['stdin', 'stdout', 'stderr'].filter((_, at) => query.has(parameters[at] ?? ''))];
  const streams = new Map<string, Duplex>();
  serveSpdy(transport, ({ headers, duplex }) => {
    streams.set(headers.get('streamtype') ?? '', duplex);
    const error = streams.get('error');
    if (!error || !wanted.every((name) => streams.has(name))) return;
    const [stdin, stdout, stderr] = ['stdin', 'stdout', 'stderr'].map((name) => streams.get(name));
    runCommand(query.getAll('command'), {
      error,
      ...(stdin ? { stdin } : {}),
      ...(stdout ? { stdout } : {}),
      ...(stderr ? { stderr } : {}),
    });
  });
}

/** The parameters of a node agent for the streams of a command. */
const parameters = ['input', 'output', 'error'];

/** Serves forwarded ports over SPDY, from ports of the loopback interface. */
export function servePortsOverSpdy(transport: Duplex): void {
  const errors = new Map<string, SpdyStream>();
  serveSpdy(transport, (stream) => {
    const id = stream.headers.get('requestid') ?? '';
    if (stream.headers.get('streamtype') === 'error') errors.set(id, stream);
    else forward(stream, errors.get(id));
  });
}

function forward({ headers, duplex }: SpdyStream, error: SpdyStream | undefined): void {
  const target = connect(Number(headers.get('port')), '127.0.0.1');
  target.on('error', ({ message }) => {
    error?.duplex.end(message);
    duplex.end();
  });
  target.on('end', () => error?.duplex.end());
  duplex.pipe(target).pipe(duplex);
}
