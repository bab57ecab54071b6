import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { TestServer } from '../../../src/testing/index.ts';
import { everyCase } from '../../every-case.ts';
import { runCl } from '../../http/cl/cl-runner.ts';
import { startServer } from '../start-server.ts';
import { compareLines } from './compare-outcomes.ts';
import { createFrom, makeLineFolder } from './line-folder.ts';
import { clIn, kubectlIn, longestMs, newestKubectl } from './programs.ts';
import { readLines } from './read-lines.ts';

/** The lines of the selection are one in so many. */
const oneIn = everyCase ? 1 : 15;
const atOnce = 4;

describe('cl beside kubectl, reading', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string | undefined;
  before(async () => {
    kubectl = await newestKubectl();
    server = await startServer({ identifiers: 'kubernetes', emulatedRelease: '1.36' });
    directory = await makeLineFolder(server.clientConfig);
    await createFrom(directory, 'all.yaml', 'every-kind.yaml');
    const { code, err } = await runCl(['replace', '--subresource=status', '-f', 'statuses.yaml'], { directory });
    assert.equal(code, 0, err);
    await createFrom(directory, 'later.yaml');
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  for (const name of ['usual', 'get', 'describe', 'types']) {
    it(`prints the same and ends with the same codes: ${name}`, async () => {
      if (kubectl === undefined) return;
      const lines = (await readLines(name)).filter((_, index) => index % oneIn === 0);
      const differences = await compareLines(lines, [kubectlIn(kubectl, directory), clIn(directory)], atOnce);
      assert.ok(differences.length === 0, differences.join('\n'));
    }).timeout(longestMs);
  }
});
