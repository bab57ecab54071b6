import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { type Outcome, runCl, startCl, writeConfig } from './cl-runner.ts';

const running = { phase: 'Running' };

describe('cl with programs in pods', () => {
  let world: NodeWorld;
  let directory: string;

  before(async () => {
    world = await startNodeWorld();
    directory = world.directory;
    await writeConfig(directory, world.server.clientConfig);
    const containers = ['a', 'b'].map((name) => ({ name, image: 'i' }));
    await world.createPod('two', { nodeName: 'n', containers });
    const labels = { app: 'web' };
    for (const name of ['web-1', 'web-2']) {
      const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
      await request(world.server, 'POST', podsPath, { metadata: { name, labels }, spec });
    }
    await request(world.server, 'POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'web' },
      spec: { selector: labels, ports: [{ port: 80 }] },
    });
    await world.createPod('done', { nodeName: 'n', containers });
    for (const name of ['p', 'two', 'web-1', 'web-2']) await world.patchStatus(`${podsPath}/${name}`, running);
    await world.patchStatus(`${podsPath}/done`, { phase: 'Succeeded' });
    world.agent.log('one');
    world.agent.log('two');
  });
  after(() => world[Symbol.asyncDispose]());

  const cl = (...args: string[]): Promise<Outcome> => runCl(args, { directory });
  const pipe = (input: string, ...args: string[]): Promise<Outcome> =>
    runCl(args, { directory, stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]) });

  describe('logs', () => {
    it('prints a log, or its end', async () => {
      assert.deepEqual(await cl('logs', 'p'), { code: 0, out: 'one\ntwo\n', err: '' });
      assert.equal((await cl('logs', 'pod/p', '--tail=1')).out, 'two\n');
    });

    it('prints those of several pods and containers, with a prefix', async () => {
      const { out } = await cl('logs', '-l', 'app=web', '--prefix', '--tail=1');
      assert.deepEqual(out.split('\n').toSorted(), ['', '[pod/web-1/c] two', '[pod/web-2/c] two']);
      assert.equal((await cl('logs', 'two', '--all-containers', '--tail=1')).out, 'two\ntwo\n');
      const all = await cl('logs', 'service/web', '--all-pods', '--tail=1');
      assert.match(all.out, /^\[pod\/web-\d\/c\] two\n\[pod\/web-\d\/c\] two\n$/);
    });

    it('chooses a pod and a container, and reports the choice', async () => {
      const { out, err } = await cl('logs', 'service/web', '--tail=1');
      assert.deepEqual([out, /^Found 2 pods, using pod\/web-\d\n$/.test(err)], ['two\n', true]);
      assert.equal((await cl('logs', 'two', '--tail=1')).err, 'Defaulted container "a" out of: a, b\n');
      assert.equal((await cl('logs', 'two', 'b', '--tail=1')).err, '');
    });

    it('follows until interrupted', async () => {
      const started = startCl(['logs', '-f', 'p', '--tail=1'], { directory });
      await started.until(/two\n/);
      world.agent.log('three');
      await started.until(/three\n/);
      assert.equal(await started.interrupt(), 130);
    });

    it('refuses flags that exclude each other, and too many logs to follow', async () => {
      const lines: readonly (readonly [RegExp, ...string[]])[] = [
        [/a pod or TYPE\/NAME is missing/, 'logs'],
        [/only a selector \(-l\) or a POD name is allowed/, 'logs', 'p', '-l', 'a=b'],
        [/at most one of --since-time and --since/, 'logs', 'p', '--since=1s', '--since-time=2026-01-01T00:00:00Z'],
        [/should not be specified with container name c/, 'logs', 'p', '-c', 'c', '--all-containers'],
        [/container x not found in pod p \(it has: c\)/, 'logs', 'p', 'x'],
        [/following|maximum allowed concurrency is 1/, 'logs', '-f', '-l', 'app=web', '--max-log-requests=1'],
        [/pods "none" not found/, 'logs', 'none'],
      ];
      for (const [message, ...args] of lines) {
        const { code, err } = await cl(...args);
        assert.deepEqual([code, message.test(err)], [1, true], err);
      }
      assert.match((await cl('logs', '-l', 'app=none')).err, /^No resources found in default namespace\.\n$/);
    });
  });

  describe('exec', () => {
    it('runs a program, whose exit code it has', async () => {
      const found = await cl('exec', 'p', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3');
      assert.deepEqual([found.code, found.out], [3, 'out\n']);
      assert.equal(found.err, 'err\ncommand terminated with exit code 3\n');
    });

    it('passes standard input only with -i', async () => {
      assert.equal((await pipe('typed', 'exec', '-i', 'deployment/none', '--', 'cat')).code, 1);
      assert.equal((await pipe('typed', 'exec', '-i', 'service/web', '--', 'cat')).out, 'typed');
      assert.equal((await pipe('typed', 'exec', 'p', '--', 'cat')).out, '');
    });

    it('gives a terminal to the program only if there is one here', async () => {
      const without = await pipe('', 'exec', '-it', 'p', '--', 'true');
      assert.match(without.err, /Unable to use a TTY - input is not a terminal/);
      const raw: boolean[] = [];
      const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
      const found = await runCl(['exec', '-it', 'p', '--', 'true'], { directory, stdin });
      assert.deepEqual([found.code, raw], [0, [true, false]]);
      assert.match(world.agent.seen.at(-1)?.url ?? '', /tty=1/);
    });

    // A terminal comes from the program of util-linux, which not every system has.
    if (existsSync('/usr/bin/script')) {
      it('works in a terminal', async () => {
        const program = `${process.execPath} ${path.resolve('dist/src/bin/cl.js')} --clientconfig config`;
        const line = `${program} exec -it p -- sh -c "read word; echo got $word; exit 4"`.replace('$', String.raw`\$`);
        const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: directory, env: { ...process.env } });
        const { length } = world.agent.seen;
        let text = '';
        child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
        // The terminal is raw when the program has begun.
        await until('the program has begun', () => world.agent.seen.length > length);
        child.stdin.write('typed\n');
        const [code] = (await once(child, 'close')) as [number];
        assert.deepEqual(
          [code, /^got typed\r?\ncommand terminated with exit code 4\r?\n$/.test(text)],
          [4, true],
          text,
        );
      });
    }

    it('refuses a line without a program, and pods that have ended', async () => {
      assert.match((await cl('exec', 'p')).err, /at least one command/);
      assert.match((await cl('exec', 'p', 'ls')).err, /comes after --/);
      assert.match((await cl('exec', 'done', '--', 'ls')).err, /completed pod; current phase is Succeeded/);
    });
  });

  describe('attach', () => {
    it('connects to the main program', async () => {
      assert.deepEqual(await pipe('typed\n', 'attach', '-i', 'p', '-q'), { code: 0, out: 'typed\n', err: '' });
    });

    it('leaves a terminal when the keys for that are typed', async () => {
      const containers = [{ name: 'c', image: 'i', tty: true, stdin: true }];
      await world.createPod('shell', { nodeName: 'n', containers });
      await world.patchStatus(`${podsPath}/shell`, running);
      const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
      const started = startCl(['attach', '-it', 'shell'], { directory, stdin });
      stdin.write('typed\n');
      await started.until(/typed/);
      stdin.write(Buffer.of(0x10, 0x11));
      assert.equal(await started.code, 0);
    });
  });

  describe('cp', () => {
    it('copies a file, into a folder too, and back', async () => {
      const text = 'content\n'.repeat(50_000);
      await writeFile(path.join(directory, 'from'), text);
      await mkdir(path.join(directory, 'folder'));
      assert.deepEqual(await cl('cp', 'from', `p:${directory}/there`), { code: 0, out: '', err: '' });
      assert.equal(await readFile(path.join(directory, 'there'), 'utf8'), text);
      assert.equal((await cl('cp', 'from', `default/p:${directory}/folder`)).code, 0);
      assert.equal(await readFile(path.join(directory, 'folder/from'), 'utf8'), text);
      assert.equal((await cl('cp', `p:${directory}/there`, 'back')).code, 0);
      assert.equal(await readFile(path.join(directory, 'back'), 'utf8'), text);
    });

    it('copies folders with long names and without links', async () => {
      const name = 'n'.repeat(120);
      await mkdir(path.join(directory, 'tree', name), { recursive: true });
      await writeFile(path.join(directory, 'tree', name, 'deep'), 'x');
      assert.equal((await cl('cp', 'tree', `p:${directory}/copy`)).code, 0);
      assert.equal(await readFile(path.join(directory, 'copy', name, 'deep'), 'utf8'), 'x');
      await symlink('/etc', path.join(directory, 'copy', 'link\u001b[2J'));
      const back = await cl('cp', `p:${directory}/copy`, 'again');
      assert.deepEqual(
        [back.code, /skipping: .*link/.test(back.err), back.err.includes('\u001b')],
        [0, true, false],
        back.err,
      );
      assert.equal(await readFile(path.join(directory, 'again', name, 'deep'), 'utf8'), 'x');
    });

    it('writes nothing outside the target', async () => {
      await mkdir(path.join(directory, 'outside'));
      await mkdir(path.join(directory, 'target'));
      await mkdir(path.join(directory, 'source/sub'), { recursive: true });
      await writeFile(path.join(directory, 'source/sub/file'), 'x');
      await symlink(path.join(directory, 'outside'), path.join(directory, 'target/sub'));
      const { code, err } = await cl('cp', `p:${directory}/source`, 'target');
      assert.deepEqual([code, /is a link out of the target/.test(err)], [1, true], err);
      await assert.rejects(readFile(path.join(directory, 'outside/file')));
    });

    it('refuses what is no copy between here and a pod', async () => {
      assert.match((await cl('cp', 'a', 'b')).err, /must be a remote file/);
      assert.match((await cl('cp', 'p:a', 'p:b')).err, /must be a local file/);
      assert.match((await cl('cp', 'nothing', 'p:/tmp/x')).err, /nothing doesn't exist in local filesystem/);
      assert.equal((await cl('cp', 'p:/nothing', 'x')).code, 2);
    });
  });

  describe('debug', () => {
    const pod = async (name: string) =>
      (await request(world.server, 'GET', `${podsPath}/${name}`)).body as {
        spec: { containers: object[]; ephemeralContainers?: object[]; nodeName?: string; hostPID?: boolean };
        metadata: { labels?: object };
      };

    it('adds a container to a pod', async () => {
      const { code, out, err } = await cl('debug', 'web-1', '--image=busybox', '--target=c', '--', 'sh', '-c', 'ls');
      assert.equal(code, 0, err);
      assert.match(out, /^Targeting container "c"\..*\nDefaulting debug container name to debugger-[a-z0-9]{5}\.\n$/);
      const [added] = (await pod('web-1')).spec.ephemeralContainers ?? [];
      const { image, command, targetContainerName } = added as Record<string, unknown>;
      assert.deepEqual([image, command, targetContainerName], ['busybox', ['sh', '-c', 'ls'], 'c']);
    });

    it('copies a pod with another image', async () => {
      const { code, err } = await cl('debug', 'web-1', '--copy-to=copy', '--set-image=*=other', '--same-node');
      assert.equal(code, 0, err);
      const { spec, metadata } = await pod('copy');
      assert.deepEqual([spec.nodeName, metadata.labels, spec.containers.length], ['n', undefined, 1]);
      assert.match(JSON.stringify(spec.containers), /"image":"other"/);
    });

    it('starts a pod on a node', async () => {
      const { code, out } = await cl('debug', 'node/n', '--image=busybox');
      const name = /^Creating debugging pod (node-debugger-n-\S+) with container debugger on node n\.\n$/.exec(
        out,
      )?.[1];
      assert.deepEqual([code, (await pod(name ?? '')).spec.hostPID], [0, true]);
    });

    it('takes the pods of files, and fields of the container from one', async () => {
      const custom = {
        env: [{ name: 'A', value: 'file' }],
        workingDir: '/work',
        securityContext: null,
      };
      await writeFile(path.join(directory, 'custom.yaml'), JSON.stringify(custom));
      const pods = ['web-2', 'two'].map((name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } }));
      const list = { apiVersion: 'v1', kind: 'List', items: pods };
      await writeFile(path.join(directory, 'pods.json'), JSON.stringify(list));
      const flags = ['-q', '-c', 'd', '--image=busybox', '--env=A=flag', '--env=B=flag', '--custom=custom.yaml'];
      assert.deepEqual(await cl('debug', '-f', 'pods.json', ...flags), { code: 0, out: '', err: '' });
      for (const name of ['web-2', 'two']) {
        const [added] = (await pod(name)).spec.ephemeralContainers ?? [];
        const { env, workingDir, securityContext } = added as Record<string, unknown>;
        assert.deepEqual(env, [...custom.env, { name: 'B', value: 'flag' }]);
        assert.deepEqual([workingDir, securityContext], [custom.workingDir, undefined]);
      }
      await writeFile(path.join(directory, 'custom.yaml'), 'image: other');
      assert.match((await cl('debug', 'web-2', ...flags)).err, /cannot be set by --custom \(leave out "image"\)/);
      assert.match((await cl('debug', 'web-2', '-f', 'pods.json', ...flags)).err, /cannot be given together/);
    });

    it('refuses flags that do not fit', async () => {
      assert.match((await cl('debug', 'p')).err, /must specify --image or --copy-to/);
      assert.match((await cl('debug', 'p', '--image=i', '-t')).err, /--stdin is required/);
      assert.match((await cl('debug', 'p', '--image=i', '-c', 'c')).err, /has a container c already/);
    });
  });
});
