import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The version of the package. */
export function releaseVersion(): string {
  return (JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }).version;
}

/** The texts that have to fit a version. */
interface ReleaseTexts {
  readonly version: string;
  /** Of CHANGELOG.md. */
  readonly changes: string;
  /** Of Chart.yaml. */
  readonly chart: string;
  /** The lines of `git status`, one a file that differs from the commit. */
  readonly changedFiles: string;
}

/** Contradictions in a release, each as a sentence; by default in that of the present version. */
export function releaseFaults(texts: ReleaseTexts = presentTexts()): readonly string[] {
  const { version, changes, chart, changedFiles } = texts;
  const quoted = version.replaceAll('.', String.raw`\.`);
  const unreleased = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changes)?.[1] ?? '';
  const rules: readonly (readonly [isMet: boolean, fault: string])[] = [
    [new RegExp(`^appVersion: ${quoted}$`, 'm').test(chart), `Chart.yaml: appVersion is not ${version}`],
    [
      new RegExp(`^## ${quoted} - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(changes),
      `CHANGELOG.md: no section "## ${version} - YYYY-MM-DD"`,
    ],
    [unreleased.trim() === '', 'CHANGELOG.md: changes are left in "Unreleased"'],
    [changedFiles === '', `the files differ from the commit: ${changedFiles.trim().split('\n', 1)[0]}`],
  ];
  return rules.flatMap(([isMet, fault]) => (isMet ? [] : [fault]));
}

function presentTexts(): ReleaseTexts {
  return {
    version: releaseVersion(),
    changes: readFileSync('CHANGELOG.md', 'utf8'),
    chart: readFileSync('deploy/helm/cl-apiserver/Chart.yaml', 'utf8'),
    changedFiles: execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }),
  };
}
