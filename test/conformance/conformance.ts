// make conformance: the conformance tests of Kubernetes that need no real pods, against a server with the Kubernetes identifiers, two
// stand-in nodes and the scheduler of this project. Those of 1.20 take half an hour, in a run each; those of 1.36, which are most of
// its tests of the API alone, are one run. Environment:
//   E2E_TEST                 the test binary of Kubernetes 1.20 or 1.36 (`go test -c ./test/e2e`)
//   E2E_ROOT                 the sources of Kubernetes, if that binary was built without the manifests of its tests
//   KUBECTL                  a kubectl; by default that of hack/kubectl.sh
//   KUBE_CONTROLLER_MANAGER  a kube-controller-manager to run instead of the controllers of this project
// Arguments are parts of the names of the cases to run. Fails if a case fails. `fixtures` as the first argument reads and writes the
// public example objects instead (`fixtures/fixtures.ts`).
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { runFixtures } from './fixtures/fixtures.ts';
import { type ConformanceSuite, suiteOf } from './run-cases.ts';
import { startPlane } from './start-plane.ts';

const run = promisify(execFile);

async function kubectlOf({ kubectl }: ConformanceSuite): Promise<string> {
  return process.env['KUBECTL'] ?? (await run('hack/kubectl.sh', [...kubectl])).stdout.trim();
}

async function selectedCases({ list }: ConformanceSuite, parts: readonly string[]): Promise<string[]> {
  const names = (await readFile(list, 'utf8')).split('\n').filter((name) => name !== '');
  return names.filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)));
}

/** Runs the cases that arguments select; true if all pass. */
async function runCases(parts: readonly string[]): Promise<boolean> {
  const binary = process.env['E2E_TEST'];
  if (!binary) throw new Error('set E2E_TEST to the test binary of Kubernetes 1.20 or 1.36');
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-conformance-'));
  const suite = await suiteOf(binary);
  const names = await selectedCases(suite, parts);
  const plane = await startPlane(directory, suite.release, process.env['KUBE_CONTROLLER_MANAGER']);
  let failed = 0;
  try {
    const flags = [`--kubeconfig=${plane.configFile}`, `--kubectl-path=${await kubectlOf(suite)}`];
    for await (const { name, failure } of suite.run({ binary, flags, names, directory })) {
      console.log(`${failure === undefined ? 'passed' : 'FAILED'}  ${name}`);
      if (failure === undefined) continue;
      failed++;
      await writeFile(path.join(directory, `failed-${failed}.log`), `${name}\n${failure}`);
    }
  } finally {
    await plane.stop();
  }
  console.log(`${names.length - failed} of ${names.length} pass`);
  if (failed > 0) {
    console.log(`what they printed is in ${directory}`);
    return false;
  }
  await rm(directory, { recursive: true });
  return true;
}

const [first, ...rest] = process.argv.slice(2);
const passed = first === 'fixtures' ? await runFixtures(rest) : await runCases(process.argv.slice(2));
if (!passed) process.exitCode = 1;
