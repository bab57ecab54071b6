import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  attachToPod,
  type Client,
  connectToPort,
  createBriefConnections,
  createClient,
  execInPod,
  readClientConfig,
  readLogs,
} from '../../../src/client/index.ts';
import { type NodeWorld, startNodeWorld } from '../../node-agent/node-world.ts';

describe('the streams of pods of the client', () => {
  let world: NodeWorld;
  let client: Client;

  before(async () => {
    world = await startNodeWorld();
    const settings = await readClientConfig(world.server.clientConfig);
    client = createClient(settings, { connections: createBriefConnections(settings) });
    await world.patchStatus('/api/v1/namespaces/default/pods/p', { phase: 'Running' });
  });
  after(async () => {
    await client.close();
    await world[Symbol.asyncDispose]();
  });

  /** Runs a shell in the pod with an input; resolves with its exit code and what it printed. */
  async function shell(script: string, input = ''): Promise<{ code: number; out: string; err: string }> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const printed = [text(stdout), text(stderr)];
    const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
    const code = await execInPod(client, 'p', { command: ['sh', '-c', script], stdin, stdout, stderr });
    stdout.end();
    stderr.end();
    const [out = '', err = ''] = await Promise.all(printed);
    return { code, out, err };
  }

  it('run a program with its output, errors and exit code', async () => {
    assert.deepEqual(await shell('echo out; echo err >&2; exit 3'), { code: 3, out: 'out\n', err: 'err\n' });
  });

  it('send an input, a large one too, and its end', async () => {
    const input = 'x'.repeat(1_000_000);
    assert.deepEqual(await shell('cat', input), { code: 0, out: input, err: '' });
  });

  it('throw the status of a program that cannot be started, and of a server that refuses', async () => {
    const run = (pod: string, command: string) => execInPod(client, pod, { command: [command] });
    await assert.rejects(run('p', '/nothing'), { name: 'StatusError', reason: 'InternalError' });
    await assert.rejects(run('none', 'ls'), { name: 'StatusError', reason: 'NotFound', code: 404 });
  });

  it('attach to the main program', async () => {
    const stdout = new PassThrough();
    const printed = text(stdout);
    assert.equal(await attachToPod(client, 'p', { stdin: Readable.from(['typed\n']), stdout }), 0);
    stdout.end();
    assert.equal(await printed, 'typed\n');
  });

  it('end with the reason of the signal', async () => {
    const stopped = new AbortController();
    const running = execInPod(client, 'p', { command: ['sleep', '60'], signal: stopped.signal });
    stopped.abort(new Error('enough'));
    await assert.rejects(running, { message: 'enough' });
  });

  it('connect to a port, and report one on which nothing listens', async () => {
    const server: Server = createServer((socket) => socket.pipe(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stream = await connectToPort(client, 'p', port);
    stream.write('x'.repeat(100_000));
    let read = 0;
    for await (const bytes of stream) {
      read += (bytes as Buffer).length;
      if (read === 100_000) break;
    }
    server.close();
    await once(server, 'close');
    await assert.rejects(text(await connectToPort(client, 'p', port)), /ECONNREFUSED/);
  });

  it('read a log, and follow it', async () => {
    world.agent.log('one');
    world.agent.log('two');
    const lines = async (options: object): Promise<string> => {
      let found = '';
      for await (const bytes of await readLogs(client, 'p', options)) found += Buffer.from(bytes).toString();
      return found;
    };
    assert.equal(await lines({ tailLines: 1 }), 'two\n');
    const stopped = new AbortController();
    const following = lines({ follow: true, signal: stopped.signal });
    stopped.abort();
    await following.catch(() => undefined);
  });
});
