import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { everyCase } from '../../every-case.ts';
import { startCl } from '../../http/cl/cl-runner.ts';
import { request } from '../../http/http-client.ts';
import { compareLines } from './compare-outcomes.ts';
import { makeLineFolder } from './line-folder.ts';
import { clIn, kubectlIn, longestMs, newestKubectl } from './programs.ts';
import { readLines } from './read-lines.ts';

/** The lines of the selection are one in so many. */
const oneIn = everyCase ? 1 : 15;
const running = { phase: 'Running' };

/** Lines that go on until they are interrupted, and what they print first. */
const endless: readonly (readonly [line: string, first: RegExp])[] = [
  ['logs -f p --tail=1', /two\n/],
  ['get pods -w --no-headers', /^(?:.*\n){3}/],
  ['get pods -w -o name', /^(?:.*\n){3}/],
  ['port-forward p 28123:80', /Forwarding from 127.*\n(?:Forwarding from \[.*\n)?/],
];

describe('cl beside kubectl, with programs in pods', () => {
  let world: NodeWorld;
  let directory: string;
  let kubectl: string | undefined;
  before(async () => {
    kubectl = await newestKubectl();
    world = await startNodeWorld({ identifiers: 'kubernetes' });
    directory = await makeLineFolder(world.server.clientConfig);
    const containers = ['a', 'b'].map((name) => ({ name, image: 'i' }));
    await world.createPod('two', { nodeName: 'n', containers });
    await world.createPod('done', { nodeName: 'n', containers });
    const labels = { app: 'web' };
    await request(world.server, 'POST', podsPath, {
      metadata: { name: 'web-1', labels },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
    });
    await request(world.server, 'POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'web' },
      spec: { selector: labels, ports: [{ port: 80 }] },
    });
    for (const name of ['p', 'two', 'web-1']) await world.patchStatus(`${podsPath}/${name}`, running);
    await world.patchStatus(`${podsPath}/done`, { phase: 'Succeeded' });
    world.agent.log('one');
    world.agent.log('two');
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('prints the same and ends with the same codes', async () => {
    if (kubectl === undefined) return;
    const lines = (await readLines('pods')).filter((_, index) => index % oneIn === 0);
    const differences = await compareLines(lines, [kubectlIn(kubectl, directory), clIn(directory)], 4);
    assert.ok(differences.length === 0, differences.join('\n'));
  }).timeout(longestMs);

  async function firstOfKubectl(file: string, line: string, first: RegExp): Promise<string> {
    const child = spawn(file, ['--kubeconfig', 'config', ...line.split(' ')], { cwd: directory });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    while (!first.test(text)) await once(child.stdout, 'data');
    child.kill('SIGINT');
    await once(child, 'close');
    return first.exec(text)?.[0] ?? '';
  }

  it('begins endless output in the same way, until it is interrupted', async () => {
    if (kubectl === undefined) return;
    for (const [line, first] of endless) {
      const theirs = await firstOfKubectl(kubectl, line, first);
      const started = startCl(line.split(' '), { directory });
      const [ours = ''] = await started.until(first);
      assert.equal(await started.interrupt(), 130);
      assert.equal(ours.replaceAll(/\d+s/g, 'AGE'), theirs.replaceAll(/\d+s/g, 'AGE'), line);
    }
  });
});
