import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { TestServer } from '../../../src/testing/index.ts';
import { everyCase } from '../../every-case.ts';
import { startServer } from '../start-server.ts';
import { compareLines } from './compare-outcomes.ts';
import { createFrom, makeLineFolder } from './line-folder.ts';
import { clIn, kubectlIn, longestMs, newestKubectl } from './programs.ts';
import { readLines } from './read-lines.ts';

/** The lines of the selection are one in so many. */
const oneIn = everyCase ? 1 : 15;
const atOnce = 4;

describe('cl beside kubectl, making objects from flags', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string | undefined;
  before(async () => {
    kubectl = await newestKubectl();
    server = await startServer({ identifiers: 'kubernetes', emulatedRelease: '1.36' });
    directory = await makeLineFolder(server.clientConfig);
    await createFrom(directory, 'before-create.yaml');
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('prints the same objects and refuses the same lines', async () => {
    if (kubectl === undefined) return;
    const lines = (await readLines('create')).filter((_, index) => index % oneIn === 0);
    const differences = await compareLines(lines, [kubectlIn(kubectl, directory), clIn(directory)], atOnce);
    assert.ok(differences.length === 0, differences.join('\n'));
  }).timeout(longestMs);
});
