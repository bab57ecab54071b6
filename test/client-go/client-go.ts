// make client-go: a program over client-go 0.36 against a server of the newest release, in each format, and while the server is
// restarted. Needs Go, and the packages of client-go where Go finds them; for packages of a distribution, whose sources are
// under /usr/share/gocode: GO111MODULE=off GOPATH=/usr/share/gocode.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startServer, type TestServer, type TestServerOptions } from '../../src/testing/index.ts';

const run = promisify(execFile);

const formats = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/cbor'];

/** How long the program writes while the server is restarted, and how often that happens. */
const churnSeconds = 20;
const restarts = 3;

const released: TestServerOptions = {
  identifiers: 'kubernetes',
  emulatedRelease: '1.36',
  featureGates: ['CBORServingAndStorage=true'],
};

/** Runs the program to its end. Throws if it fails. */
async function runProgram(binary: string, server: TestServer, flags: readonly string[]): Promise<void> {
  const authority = path.join(path.dirname(binary), 'ca.crt');
  await writeFile(authority, server.ca);
  const all = ['-server', server.url, '-token', server.token, '-ca', authority, ...flags];
  const [code] = await once(spawn(binary, all, { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`the program of client-go failed with ${flags.join(' ')}`);
}

/** Runs the program while a server on the etcd of another one stops and starts. */
async function runWithRestarts(
  binary: string,
  format: string,
  certDir: string,
  more: readonly string[] = [],
): Promise<void> {
  await using holder = await startServer({ ...released, store: 'etcd' });
  const servers = [holder.etcdEndpoint ?? ''];
  const options: TestServerOptions = { ...released, store: { kind: 'etcd', servers }, certDir };
  let server = await startServer(options);
  const { port, token } = server;
  const tokens = [{ token, username: 'admin', groups: ['system:masters'] }];
  try {
    const program = runProgram(binary, server, ['-content', format, '-seconds', String(churnSeconds), ...more]);
    for (let count = 0; count < restarts; count++) {
      await sleep((churnSeconds * 1_000) / (restarts + 1));
      await server.stop();
      server = await startServer({ ...options, securePort: port, tokens });
    }
    await program;
  } finally {
    await server.stop();
  }
}

const directory = await mkdtemp(path.join(tmpdir(), 'cl-client-go-'));
try {
  const binary = path.join(directory, 'program');
  const sources = path.resolve('test/client-go/program/main.go');
  await run(process.env['GO'] ?? 'go', ['build', '-o', binary, sources], { maxBuffer: 64 * 1024 * 1024 });
  for (const format of formats) {
    await using server = await startServer(released);
    await runProgram(binary, server, ['-content', format]);
  }
  const certDir = path.join(directory, 'certificates');
  for (const format of formats) await runWithRestarts(binary, format, certDir);
  // As clients before 0.35, and those that switch the feature off.
  const lists = ['-watch-lists=false'];
  await using server = await startServer(released);
  await runProgram(binary, server, lists);
  await runWithRestarts(binary, 'application/vnd.kubernetes.protobuf', certDir, lists);
} finally {
  await rm(directory, { recursive: true, force: true });
}
