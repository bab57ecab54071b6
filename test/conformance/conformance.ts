// make conformance: the conformance tests of Kubernetes that need no real pods, each in a run of its own, against a server with
// the Kubernetes identifiers, two stand-in nodes and the scheduler of this project, in half an hour. Environment:
//   E2E_TEST                 the test binary of Kubernetes 1.20 (`go test -c ./test/e2e`)
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
import { startPlane } from './start-plane.ts';

const run = promisify(execFile);

/** Enough for every case on a busy machine: the tests have limits of their own. */
const caseTimeoutMs = 600_000;

/** The flags without which the tests wait for pods and nodes of a real cluster. */
const testFlags = [
  '--provider=skeleton',
  '--allowed-not-ready-nodes=0',
  '--minStartupPods=0',
  '--system-pods-startup-timeout=1s',
  '--node-schedulable-timeout=10s',
  '--ginkgo.noColor',
];

async function kubectlOf(): Promise<string> {
  return process.env['KUBECTL'] ?? (await run('hack/kubectl.sh')).stdout.trim();
}

async function selectedCases(parts: readonly string[]): Promise<string[]> {
  const names = (await readFile('test/conformance/cases.txt', 'utf8')).split('\n').filter((name) => name !== '');
  return names.filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)));
}

/** Runs one case; what it printed if it failed. */
async function failureOf(name: string, binary: string, flags: readonly string[]): Promise<string | undefined> {
  const focus = name.trim().replaceAll(/[\][().*^$+?{}|\\/]/g, '\\$&');
  try {
    await run(binary, [...flags, `--ginkgo.focus=${focus}`], { timeout: caseTimeoutMs, maxBuffer: 64 * 1024 * 1024 });
    return undefined;
  } catch (error) {
    // What execFile rejects with.
    const { stdout = '', message } = error as Error & { readonly stdout?: string };
    return stdout || message;
  }
}

/** Runs the cases that arguments select; true if all pass. */
async function runCases(parts: readonly string[]): Promise<boolean> {
  const binary = process.env['E2E_TEST'];
  if (!binary) throw new Error('set E2E_TEST to the test binary of Kubernetes 1.20');
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-conformance-'));
  const plane = await startPlane(directory, process.env['KUBE_CONTROLLER_MANAGER']);
  const failed: string[] = [];
  const cases = await selectedCases(parts);
  try {
    const flags = [...testFlags, `--kubeconfig=${plane.configFile}`, `--kubectl-path=${await kubectlOf()}`];
    for (const name of cases) {
      const text = await failureOf(name, binary, flags);
      console.log(`${text === undefined ? 'passed' : 'FAILED'}  ${name}`);
      if (text === undefined) continue;
      failed.push(name);
      await writeFile(path.join(directory, `failed-${failed.length}.log`), `${name}\n${text}`);
    }
  } finally {
    await plane.stop();
  }
  console.log(`${cases.length - failed.length} of ${cases.length} pass`);
  if (failed.length > 0) {
    console.log(`what they printed is in ${directory}`);
    return false;
  }
  await rm(directory, { recursive: true });
  return true;
}

const [first, ...rest] = process.argv.slice(2);
const passed = first === 'fixtures' ? await runFixtures(rest) : await runCases(process.argv.slice(2));
if (!passed) process.exitCode = 1;
