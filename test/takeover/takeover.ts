// `make takeover`: a store of kube-apiserver is taken over by this server, and given back. kube-apiserver writes objects of all
// sorts, encrypted by each provider that its release has, and its controllers are stopped in the middle of rollouts. This server
// reads all of it, goes on with its own controllers, and stops in the middle of other rollouts, which kube-apiserver ends.
// Environment:
//   KUBE_APISERVER           the program, of any release from 1.20 to 1.36
//   KUBE_CONTROLLER_MANAGER  the program, of the same release
// Prints what it compared; fails on the first difference.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startKmsPlugin } from '../http/encryption/kms-plugin.ts';
import { startTestEtcd } from '../e2e/local-store.ts';
import { encryptedFirstBytes } from './encrypted-first-bytes.ts';
import { readAll } from './read-all.ts';
import { compareObjects } from './compare-objects.ts';
import { type Plane, startOurs, startTheirs } from './planes.ts';
import { encryptionFile } from './encryption-file.ts';
import { changeObjects, writeObjects } from './write-objects.ts';
import { beginRollout, endRollouts } from './rollouts.ts';

const apiServer = process.env['KUBE_APISERVER'];
const controllerManager = process.env['KUBE_CONTROLLER_MANAGER'];

async function takeover(apiserver: string, manager: string): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'takeover-'));
  const etcd = await startTestEtcd();
  const kms = await startKmsPlugin(path.join(directory, 'kms.sock'));
  const programs = { apiserver, manager };
  let plane: Plane | undefined;
  const as = async <T>(what: string, next: () => Promise<Plane>, work: (plane: Plane) => Promise<T>): Promise<T> => {
    process.stdout.write(`${what}\n`);
    plane = await next();
    try {
      return await work(plane);
    } finally {
      await plane.stop();
      plane = undefined;
    }
  };
  try {
    const release = await releaseOf(apiserver);
    const encryption = await encryptionFile(directory, release);
    const place = { directory, etcd: etcd.endpoint, encryption, release };
    const written = await as(
      `kube-apiserver ${release} writes`,
      () => startTheirs(programs, place),
      async (theirs) => {
        await writeObjects(theirs);
        await beginRollout(theirs, 'two');
        return await readAll(theirs);
      },
    );
    await encryptedFirstBytes(etcd.endpoint, release);
    const changed = await as(
      'this server goes on',
      () => startOurs(place),
      async (ours) => {
        compareObjects(written, await readAll(ours));
        await endRollouts(ours, 'two');
        await changeObjects(ours);
        await beginRollout(ours, 'three');
        return await readAll(ours);
      },
    );
    await encryptedFirstBytes(etcd.endpoint, release);
    await as(
      'kube-apiserver goes on',
      () => startTheirs(programs, place),
      async (theirs) => {
        compareObjects(changed, await readAll(theirs));
        await endRollouts(theirs, 'three');
        await changeObjects(theirs);
      },
    );
  } finally {
    await kms.kill();
    await etcd[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  }
}

async function releaseOf(program: string): Promise<string> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const { stdout } = await promisify(execFile)(program, ['--version']);
  const found = /v(1\.\d+)/.exec(stdout)?.[1];
  if (!found) throw new Error(`${program} names no release: ${stdout}`);
  return found;
}

if (!apiServer || !controllerManager) throw new Error('set KUBE_APISERVER and KUBE_CONTROLLER_MANAGER');
await takeover(apiServer, controllerManager);
process.stdout.write('all is there, nothing was refused, the rollouts ended\n');
process.exit(0);
