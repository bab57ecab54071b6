import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Enough for every case on a busy machine: the tests have limits of their own. */
const caseTimeoutMs = 600_000;

const outputLimit = 256 * 1024 * 1024;

/** The flags without which the tests wait for pods and nodes of a real cluster. */
const clusterFlags = [
  '--provider=skeleton',
  '--allowed-not-ready-nodes=0',
  '--minStartupPods=0',
  '--system-pods-startup-timeout=1s',
  '--node-schedulable-timeout=10s',
];

/** A test binary of Kubernetes: which of its cases are run, on what, and how. */
export interface ConformanceSuite {
  /** The file with the names of the cases. */
  readonly list: string;
  /** The release that the server emulates. */
  readonly release: '1.21' | '1.36';
  /** The kubectl that the tests run, as `hack/kubectl.sh` names it. */
  readonly kubectl: readonly string[];
  readonly run: (cases: CaseRun) => AsyncIterable<CaseResult>;
}

/** The cases of a run. */
export interface CaseRun {
  readonly binary: string;
  readonly flags: readonly string[];
  readonly names: readonly string[];
  /** A folder for reports. */
  readonly directory: string;
}

/** The result of a case. `failure` is what it printed; undefined if it passed. */
export interface CaseResult {
  readonly name: string;
  readonly failure: string | undefined;
}

/** The tests of 1.20, each in a run of its own, on the last release that has all that they use. */
const first: ConformanceSuite = {
  list: 'test/conformance/cases.txt',
  release: '1.21',
  kubectl: [],
  run: async function* ({ binary, flags, names }) {
    for (const name of names) {
      const failure = await failureOf(binary, [...clusterFlags, '--ginkgo.noColor', ...flags, focusOn([name])]);
      yield { name, failure };
    }
  },
};

/** The tests of 1.36, in one run: it takes ten seconds to begin, and reports each case. */
const newest: ConformanceSuite = {
  list: 'test/conformance/cases-1.36.txt',
  release: '1.36',
  kubectl: ['newest'],
  run: async function* ({ binary, flags, names, directory }) {
    const report = path.join(directory, 'report.json');
    const timeout = `--ginkgo.timeout=${(caseTimeoutMs * names.length) / 1000}s`;
    const own = ['--ginkgo.no-color', `--ginkgo.json-report=${report}`, timeout];
    const all = await failureOf(binary, [...clusterFlags, ...own, ...flags, focusOn(names)], names.length);
    const results = readReport(await readFile(report, 'utf8').catch(() => '[]'));
    for (const name of names)
      yield { name, failure: results.has(name) ? results.get(name) : (all ?? 'it was not run') };
  },
};

/** The suite of a binary: Ginkgo 2, which Kubernetes has had since 1.25, spells its flags differently. */
export async function suiteOf(binary: string): Promise<ConformanceSuite> {
  const { stdout, stderr } = await run(binary, ['--help'], { maxBuffer: outputLimit }).catch(
    // Help ends with an error in some versions, with the text in what execFile rejects with.
    (error: unknown) => error as { readonly stdout: string; readonly stderr: string },
  );
  return `${stdout}${stderr}`.includes('ginkgo.json-report') ? newest : first;
}

function focusOn(names: readonly string[]): string {
  const escaped = names.map((name) => name.trim().replaceAll(/[\][().*^$+?{}|\\/]/g, '\\$&'));
  return `--ginkgo.focus=(${escaped.join('|')})`;
}

async function failureOf(binary: string, flags: readonly string[], cases = 1): Promise<string | undefined> {
  try {
    await run(binary, flags, { timeout: caseTimeoutMs * cases, maxBuffer: outputLimit });
    return undefined;
  } catch (error) {
    // What execFile rejects with.
    const { stdout = '', message } = error as Error & { readonly stdout?: string };
    return stdout || message;
  }
}

/** What a report of Ginkgo 2 has of a case. */
interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  readonly CapturedGinkgoWriterOutput?: string;
  readonly Failure?: { readonly Message: string };
}

/** The failures of the cases that were run, by name. */
function readReport(text: string): ReadonlyMap<string, string | undefined> {
  const suites = JSON.parse(text) as readonly { readonly SpecReports: readonly SpecReport[] | null }[];
  const ran = suites
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .filter(({ LeafNodeType, State }) => LeafNodeType === 'It' && State !== 'skipped');
  return new Map(
    ran.map((spec) => {
      const name = [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' ');
      const said = `${spec.Failure?.Message ?? spec.State}\n${spec.CapturedGinkgoWriterOutput ?? ''}`;
      return [name, spec.State === 'passed' ? undefined : said] as const;
    }),
  );
}
