import { rm } from 'node:fs/promises';
import type { TestServer } from '../../../src/testing/index.ts';
import { startServer } from '../start-server.ts';
import { createFrom, makeLineFolder } from './line-folder.ts';
import { clIn, kubectlIn, type Program } from './programs.ts';

/** A program with a server and a folder of its own, which nothing else changes. */
interface Side {
  readonly server: TestServer;
  readonly directory: string;
  readonly run: Program;
}

/** kubectl and `cl`, which do the same to two servers. */
export interface WriteWorld extends AsyncDisposable {
  readonly kubectl: Side;
  readonly cl: Side;
}

/** Starts both servers, with the objects of some files. */
export async function startWriteWorld(kubectl: string, ...files: readonly string[]): Promise<WriteWorld> {
  const side = async (programIn: (directory: string) => Program): Promise<Side> => {
    const server = await startServer({ identifiers: 'kubernetes', emulatedRelease: '1.36' });
    const directory = await makeLineFolder(server.clientConfig);
    await createFrom(directory, ...files);
    return { server, directory, run: programIn(directory) };
  };
  const [theirs, ours] = await Promise.all([side((directory) => kubectlIn(kubectl, directory)), side(clIn)]);
  return {
    kubectl: theirs,
    cl: ours,
    async [Symbol.asyncDispose]() {
      for (const { server, directory } of [theirs, ours]) {
        await server.stop();
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}
