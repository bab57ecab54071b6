import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { type Outcome, runCl, startCl, writeConfig } from './cl-runner.ts';

const onNode = `--overrides={"spec":{"nodeName":"n"}}`;

/** The status of a pod whose container runs. */
const running = { phase: 'Running', containerStatuses: [{ name: 'x', state: { running: {} } }] };

function ended(phase: string, exitCode: number): object {
  return { phase, containerStatuses: [{ name: 'x', state: { terminated: { exitCode, reason: 'Error' } } }] };
}

describe('cl run with a connection', () => {
  let world: NodeWorld;
  before(async () => {
    world = await startNodeWorld();
    await writeConfig(world.directory, world.server.clientConfig);
  });
  after(() => world[Symbol.asyncDispose]());

  const cl = (...args: string[]): Promise<Outcome> => runCl(args, { directory: world.directory });
  const exists = async (name: string) => (await request(world.server, 'GET', `${podsPath}/${name}`)).status === 200;

  /** Starts a line that creates a pod, and gives the pod a status when it is there. */
  async function start(name: string, input: Readable, ...args: string[]) {
    const line = ['run', name, '--image=i', onNode, ...args];
    const started = startCl(line, { directory: world.directory, stdin: input });
    await until('the pod is there', () => exists(name));
    return started;
  }

  it('passes the input to the program, and deletes the pod afterwards', async () => {
    const started = await start('x', Readable.from([Buffer.from('typed\n')]), '-i', '--rm', '--restart=Never');
    const { body } = await request(world.server, 'GET', `${podsPath}/x`);
    const [container] = (body as { spec: { containers: { stdin: boolean; stdinOnce: boolean }[] } }).spec.containers;
    assert.deepEqual([container?.stdin, container?.stdinOnce], [true, true]);
    await world.patchStatus(`${podsPath}/x`, running);
    await started.until(/typed/);
    await world.patchStatus(`${podsPath}/x`, ended('Succeeded', 0));
    assert.equal(await started.code, 0, started.err());
    assert.equal(started.out(), 'typed\npod "x" deleted from default namespace\n');
    assert.equal(started.err(), "If you don't see a command prompt, try pressing enter.\n");
  });

  it('has the exit code of a program that is not started again, and prints its log if it has ended', async () => {
    world.agent.log('printed');
    const started = await start('y', Readable.from([]), '--attach', '-q', '--restart=Never');
    await world.patchStatus(`${podsPath}/y`, ended('Failed', 3));
    await started.until(/printed/);
    world.agent.closeIdle();
    assert.equal(await started.interrupt(), 130);
    const failed = await start('z', Readable.from([]), '-i', '-q', '--restart=Never');
    await world.patchStatus(`${podsPath}/z`, running);
    await until('it is connected', () => world.agent.seen.some(({ url }) => url.startsWith('/attach/default/z')));
    await world.patchStatus(`${podsPath}/z`, ended('Failed', 3));
    assert.equal(await failed.code, 3);
    assert.match(failed.err(), /pod default\/z terminated \(Error\)/);
  });

  it('deletes the pod of an interrupted command, and its service', async () => {
    const started = await start('w', Readable.from([]), '-i', '--rm', '--expose', '--port=80', '--force');
    assert.equal(await started.interrupt(), 130);
    assert.match(
      started.out(),
      /^service\/w created\npod "w" deleted .*\nservice "w" deleted from default namespace\n$/,
    );
    assert.equal(await exists('w'), false);
  });

  it('gives up when the pod does not run in time', async () => {
    const { code, err } = await cl('run', 'late', '--image=i', '-i', '--pod-running-timeout=50ms');
    assert.deepEqual([code, /timed out waiting for the condition/.test(err)], [1, true], err);
    assert.equal(await exists('late'), true);
  });

  it('refuses flags that do not fit', async () => {
    assert.match((await cl('run', 'v', '--image=i', '--rm')).err, /--rm should only be used for attached containers/);
    assert.match((await cl('run', 'v', '--image=i', '-t')).err, /-i\/--stdin is required/);
    assert.match((await cl('run', 'v', '--image=i', '-i', '--dry-run=client')).err, /--dry-run can't be used/);
  });
});
