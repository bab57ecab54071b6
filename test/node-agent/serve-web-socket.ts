import { connect } from 'node:net';
import { Duplex, PassThrough, Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { runCommand } from './run-command.ts';

/** The channels of `v4.channel.k8s.io` and `v5.channel.k8s.io`: the first byte of each message. */
const stdinChannel = 0;
const stdoutChannel = 1;
const stderrChannel = 2;
const errorChannel = 3;
/** Version 5: the rest of the message is a channel that the client closes. */
const closeChannel = 255;

/** Serves a command over a WebSocket. */
export function serveCommandOverWebSocket(socket: WebSocket, query: URLSearchParams): void {
  const stdin = new PassThrough();
  socket.on('message', (data: Buffer) => {
    const [channel, ...rest] = data;
    if (channel === stdinChannel) stdin.write(data.subarray(1));
    else if (channel === closeChannel && rest[0] === stdinChannel) stdin.end();
  });
  socket.on('close', () => stdin.end());
  runCommand(query.getAll('command'), {
    ...(query.has('input') ? { stdin } : {}),
    ...(query.has('output') ? { stdout: channelOf(socket, stdoutChannel) } : {}),
    ...(query.has('error') ? { stderr: channelOf(socket, stderrChannel) } : {}),
    error: channelOf(socket, errorChannel, () => socket.close(1000)),
  });
}

function channelOf(socket: WebSocket, channel: number, ended: () => void = () => {}): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      // The client may leave before the end of the command.
      if (socket.readyState === socket.OPEN) socket.send(Buffer.concat([Buffer.from([channel]), chunk]), done);
      else done();
    },
    final: (done) => {
      ended();
      done();
    },
  });
}

/** Serves a port of the loopback interface in version 4: data, and errors. */
export function servePortOverWebSocket(socket: WebSocket, port: number): void {
  const number = Buffer.alloc(2);
  number.writeUInt16LE(port);
  for (const channel of [0, 1]) socket.send(Buffer.concat([Buffer.from([channel]), number]));
  const target = connect(port, '127.0.0.1');
  socket.on('message', (data: Buffer) => target.write(data.subarray(1)));
  socket.on('close', () => target.destroy());
  target.on('data', (data) => socket.send(Buffer.concat([Buffer.from([0]), data])));
  target.on('end', () => socket.close(1000));
  target.on('error', ({ message }) => {
    socket.send(Buffer.concat([Buffer.from([1]), Buffer.from(message)]));
    socket.close(1000);
  });
}

/** The bytes in the messages of a WebSocket, for SPDY in it. */
export function tunnelOf(socket: WebSocket): Duplex {
  const tunnel = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => socket.send(chunk, done),
    final: (done) => {
      socket.close(1000);
      done();
    },
  });
  socket.on('message', (data: Buffer) => tunnel.push(data));
  socket.on('close', () => tunnel.push(null));
  return tunnel;
}
