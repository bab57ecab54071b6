import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { makeSbom } from '../../../hack/release/make-sbom.ts';
import { releaseFaults } from '../../../hack/release/release-faults.ts';

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>;
}

describe('a release', () => {
  it('has the same version in the package and the chart', () => {
    // The list of changes gets its section and date at the release, whose files are committed.
    assert.deepEqual(
      releaseFaults().filter((fault) => fault.startsWith('Chart.yaml')),
      [],
    );
  });

  it('has a dated section in the list of changes, and leaves nothing unreleased', async () => {
    assert.match(await readFile('CHANGELOG.md', 'utf8'), /^# Changes\n(?:(?!^## ).*\n)*## Unreleased\n/m);
    const faultsOf = (changes: string, chart = 'appVersion: 1.2.3\n', changedFiles = ''): string =>
      releaseFaults({ version: '1.2.3', changes, chart, changedFiles }).join();
    const section = '## 1.2.3 - 2026-11-29\n\n### Added\n\n- all\n';
    assert.equal(faultsOf(`## Unreleased\n\n${section}`), '');
    assert.match(faultsOf(`## Unreleased\n\n- more\n\n${section}`), /left in "Unreleased"$/);
    assert.match(faultsOf('## Unreleased\n\n- all\n'), /^CHANGELOG.md: no section "## 1\.2\.3 - .*left in/);
    assert.match(faultsOf(section.replace('1.2.3', '1.203')), /no section/);
    assert.match(faultsOf(section, undefined, ' M a.ts\n?? b.ts\n'), /^the files differ from the commit: M a\.ts$/);
    assert.match(faultsOf(section, 'appVersion: 1.2.30\n'), /^Chart\.yaml: appVersion is not 1\.2\.3$/);
  });

  it('has a bill of what is installed and of what the bundle contains, and of nothing else', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as LockFile;
    const installed = Object.entries(packages)
      .filter(([folder, { dev }]) => folder !== '' && !dev)
      .map(([folder, { version }]) => `${folder.slice(folder.lastIndexOf('node_modules/') + 13)}@${version}`);
    const bundled = [`preact@${packages['node_modules/preact']?.version}`];
    const { metadata, components, dependencies } = makeSbom();
    assert.equal(metadata.component.name, 'cl-apiserver');
    const named = components.map(({ name, version }) => `${name}@${version}`);
    assert.deepEqual([...new Set(named)].toSorted(), [...new Set([...installed, ...bundled])].toSorted());
    const refs = new Set(components.map((component) => component['bom-ref']));
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref);
  });
});
