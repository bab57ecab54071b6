import type { Readable, Writable } from 'node:stream';
import { identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import type { Status } from '../api-object.ts';
import type { Client } from '../client.ts';
import type { CallOptions } from '../resource-options.ts';
import { resourcePath } from '../resource-path.ts';
import { StatusError } from '../error-of-response.ts';
import { openWebSocket, type WebSocketConnection } from './open-web-socket.ts';

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The streams of a program in a container. Those that are absent are not connected. */
export interface ProgramStreams extends CallOptions {
  /** The container; needed if the pod has several. */
  readonly container?: string;
  /** Read until the program ends; it is not destroyed. */
  readonly stdin?: Readable;
  /** Written to, never ended. */
  readonly stdout?: Writable;
  /** With a terminal the program has only `stdout`. */
  readonly stderr?: Writable;
  /** Gives the program a terminal. */
  readonly tty?: boolean;
  /** The sizes of the terminal: the first one and each change. */
  readonly sizes?: AsyncIterable<TerminalSize>;
}

/** A program that is started in a container. */
export interface ProgramOptions extends ProgramStreams {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
}

/** The first byte of each message. */
const channels = Object.freeze({ stdin: 0, stdout: 1, stderr: 2, status: 3, size: 4, close: 255 });

/** Fits, with the byte of the channel, into the buffers of the servers on the way. */
const largestInput = 32 * 1024 - 1;

/**
 * The versions of the protocol in both sets of identifiers. The older one cannot tell the program
 * that its input ended.
 */
const closing = versionOf('v5');
const protocols = [...closing, ...versionOf('v4')];

function versionOf(version: string): readonly string[] {
  return identifierSets.map((set) => `${version}.channel.${identifiersOf(set).apiDomain}`);
}

/**
 * Runs a program in a container of a pod, and returns its exit code. Throws StatusError if it
 * cannot be started.
 *
 * @example
 * const code = await execInPod(client, 'web', { command: ['ls', '/'], stdout: process.stdout });
 */
export function execInPod(client: Client, pod: string, options: ProgramOptions): Promise<number> {
  return runOver(client, pod, 'exec', options);
}

/**
 * Connects to the main program of a container, and returns its exit code if it ends meanwhile, else
 * 0.
 */
export function attachToPod(client: Client, pod: string, options: ProgramStreams): Promise<number> {
  return runOver(client, pod, 'attach', options);
}

async function runOver(
  { transport, settings }: Client,
  pod: string,
  subresource: string,
  options: ProgramStreams & Partial<ProgramOptions>,
): Promise<number> {
  const { namespace = settings.namespace, container, command, tty, signal } = options;
  const [stdin, stdout, stderr] = [options.stdin, options.stdout, options.stderr].map((stream) =>
    stream ? true : undefined,
  );
  const connection = await openWebSocket(transport, protocols, {
    path: resourcePath({ group: '', version: 'v1', resource: 'pods' }, { namespace, name: pod, subresource }),
    query: { container, command, stdin, stdout, stderr: tty ? undefined : stderr, tty: tty || undefined },
    ...(signal ? { signal } : {}),
  });
  const input = options.stdin && sendInput(connection, options.stdin);
  if (options.sizes) void sendSizes(connection, options.sizes);
  try {
    return await readOutput(connection, options);
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    input?.();
    connection.close();
  }
}

/** Writes what arrives; returns the exit code. */
async function readOutput(connection: WebSocketConnection, { stdout, stderr }: ProgramStreams): Promise<number> {
  const outputs: Readonly<Record<number, Writable | undefined>> = {
    [channels.stdout]: stdout,
    [channels.stderr]: stderr,
  };
  let status = '';
  try {
    for await (const message of connection.messages) {
      const [channel = channels.close] = message;
      const bytes = message.subarray(1);
      const output = outputs[channel];
      if (channel === channels.status) status += bytes.toString();
      else if (output && bytes.length > 0) await writeTo(output, bytes);
    }
  } catch (error) {
    // Some servers cut the connection after the last message.
    if (status === '') throw error;
  }
  return exitCodeOf(status);
}

function writeTo(output: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** Throws for a program that did not run. A connection that ended without a status was no error. */
function exitCodeOf(text: string): number {
  if (text === '') return 0;
  // The server declares the shape; every field is optional, and read with a fallback.
  const status = JSON.parse(text) as Status;
  if (status.status === 'Success') return 0;
  const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode');
  const code = Number(cause?.message);
  if (status.reason !== 'NonZeroExitCode' || !Number.isInteger(code)) throw new StatusError(status);
  return code;
}

/** Sends the input as it arrives, and no faster than it is taken. Returns what stops it. */
function sendInput(connection: WebSocketConnection, stdin: Readable): () => void {
  let isStopped = false;
  const send = (...parts: Uint8Array[]): Promise<void> => connection.send(Buffer.concat(parts));
  const onData = (data: Buffer | string): void => {
    const bytes = Buffer.from(data);
    stdin.pause();
    const writes: Promise<void>[] = [];
    for (let at = 0; at < bytes.length; at += largestInput) {
      writes.push(send(Buffer.of(channels.stdin), bytes.subarray(at, at + largestInput)));
    }
    // The reader of the output gets the error of the connection.
    void Promise.all(writes).then(
      () => !isStopped && stdin.resume(),
      () => {},
    );
  };
  const onEnd = (): void => {
    if (closing.includes(connection.protocol)) void send(Buffer.of(channels.close, channels.stdin)).catch(() => {});
  };
  stdin.on('data', onData).once('end', onEnd);
  if (stdin.readableEnded) onEnd();
  return () => {
    isStopped = true;
    stdin.off('data', onData).off('end', onEnd).pause();
  };
}

async function sendSizes(connection: WebSocketConnection, sizes: AsyncIterable<TerminalSize>): Promise<void> {
  try {
    for await (const { columns, rows } of sizes) {
      const size = JSON.stringify({ Width: columns, Height: rows });
      await connection.send(Buffer.concat([Buffer.of(channels.size), Buffer.from(size)]));
    }
  } catch {
    // The reader of the output gets the error of the connection.
  }
}
