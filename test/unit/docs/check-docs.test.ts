import assert from 'node:assert/strict';
import { findUnknownCommands } from '../../../hack/docs/check-commands.ts';
import { findConflicts } from '../../../hack/docs/check-conflicts.ts';
import { findBrokenExamples } from '../../../hack/docs/check-examples.ts';
import { findBrokenLinks } from '../../../hack/docs/check-links.ts';
import { findRefusedObjects } from '../../../hack/docs/check-objects.ts';
import { findUnrunCommands } from '../../../hack/docs/check-run-commands.ts';
import { findTypeErrors } from '../../../hack/docs/check-types.ts';
import { type Page, readPage } from '../../../hack/docs/markdown.ts';

const checks = [
  findConflicts,
  findBrokenLinks,
  findBrokenExamples,
  findUnknownCommands,
  findTypeErrors,
  findRefusedObjects,
];

async function findingsIn(pages: readonly Page[]): Promise<string[]> {
  return (await Promise.all(checks.map(async (check) => check(pages)))).flat();
}

function block(info: string, ...lines: readonly string[]): string {
  return ['', `\`\`\`${info}`, ...lines, '```', ''].join('\n');
}

const definition = (group: string, type: string) =>
  block(
    'yaml',
    'apiVersion: apiextensions.cl.io/v1',
    'kind: CustomResourceDefinition',
    `metadata: {name: widgets.${group}}`,
    'spec:',
    `  group: ${group}`,
    '  scope: Namespaced',
    '  names: {plural: widgets, kind: Widget}',
    '  versions:',
    '  - name: v1',
    '    served: true',
    '    storage: true',
    '    schema:',
    '      openAPIV3Schema:',
    '        type: object',
    '        properties: {spec: {type: object, properties: {size: {type: ' + type + '}}}}',
  );

const widget = (group: string) => `apiVersion: ${group}/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 3}`;

/** A text of a page, and the finding that it must have; true pages have none. */
const stories: readonly (readonly [story: string, text: string, finding: RegExp | undefined])[] = [
  ['a link to a file that is gone', '[a](gone.md)', /link to gone\.md: no such file/],
  ['a heading that is gone', '# One\n\n[a](#two)', /no such heading/],
  ['a heading of this page and of another', '# `One` and two!\n\n[a](#one-and-two) [b](../README.md)', undefined],
  ['a conflict of a merge', 'a\n<<<<<<< HEAD\nb', /\.md:2: a conflict/],
  ['a page that is not encrypted', '[a](http://example.com)', /not a URL with https/],
  ['a link within code', '`[a](gone.md)`', undefined],
  ['a command that cl has not', block('console', '$ cl gett pods'), /cl has no command "gett"/],
  ['a flag that cl has not', block('sh', 'true && cl get pods --wide  # a comment'), /unknown flag --wide/],
  ['a flag in a code span', 'Use `cl up --nods=2`.', /unknown flag --nods/],
  ['a flag without its program', 'Use `--nods=2`.', /--nods: a flag of no program/],
  ['flags of two programs', 'Use `--nodes=2` and `--kubelet-timeout`.', undefined],
  ['a file that a command writes', block('sh', 'sh make.sh 2> make.log && cl gett'), /: cl gett: cl has no/],
  ['a flag of the server', '\n    cl-apiserver --etcd-server=x\n', /unknown flag --etcd-server;/],
  ['a value that is not valid', block('sh', 'cl-apiserver --secure-port=many'), /"many" is not valid/],
  ['a value of the reader', block('sh', 'cl-apiserver --secure-port=$PORT --kubelet-timeout=5s'), undefined],
  ['a target of make', block('sh', 'make biuld'), /no target biuld/],
  ['flags of make run', block('sh', "make run ARGS='--nodes=2 --portal=1'"), /unknown flag --portal/],
  ['a script of npm', block('sh', 'npm run tset'), /has a script tset/],
  ['a command of kubectl', block('sh', 'kubectl get pods --colour'), /kubectl get has no flag --colour/],
  ['a program that nobody knows', block('console', '$ frobnicate', 'done'), /not a program that/],
  [
    'npx with a command of cl',
    block('sh', 'npx cl-apiserver up --nodes=2 --detach', 'npx -y -p cl-apiserver cl up'),
    undefined,
  ],
  [
    'code that compiles',
    block('ts', "import { startServer } from 'cl-apiserver/testing';", 'await (await startServer()).stop();'),
    undefined,
  ],
  [
    'code with a wrong name',
    block('ts', "import { startServre } from 'cl-apiserver/testing';", 'startServre();'),
    /:3: TS2724/,
  ],
  ['code in two blocks', block('ts', 'const a = 1;') + block('ts continued', 'a.b;'), /Property 'b' does not exist/],
  ['a file that the text does not name', block('yaml file=a.yaml fragment', 'a: b'), /does not name `a\.yaml`/],
  ['an extract that is not one', block('json from=package.json', '"name": "other"'), /not a part of package\.json/],
  [
    'an extract',
    block('json from=package.json fragment', '"name": "cl-apiserver",', '// ...', '"type": "module",'),
    undefined,
  ],
  ['a mark that is not for all', block('ts unchecked', 'a.b'), /unchecked is not for this page/],
  [
    'an object of a custom kind',
    definition('one.example.com', 'integer') + block('yaml', widget('one.example.com')),
    undefined,
  ],
  [
    'a custom object of another type',
    definition('two.example.com', 'string') + block('yaml', widget('two.example.com')),
    /spec\.size/,
  ],
  [
    'a field that no kind has',
    block('yaml', 'apiVersion: v1', 'kind: ConfigMap', 'metadata: {name: a}', 'dat: {}'),
    /dat/,
  ],
  [
    'the input of a command',
    block('console', '$ cl create -f - <<EOF', 'apiVersion: v1', 'kind: Podd', 'EOF'),
    /"Podd"/,
  ],
  [
    'other names of groups',
    block('yaml', 'apiVersion: rbac.authorization.k8s.io/v1', 'kind: Role', 'metadata: {name: a}', 'rules: []'),
    undefined,
  ],
  ['YAML that cannot be read', block('yaml', 'a: [1'), /:3: Flow sequence/],
  [
    'a configuration with a wrong level',
    block('yaml', 'apiVersion: audit.cl.io/v1', 'kind: Policy', 'rules: [{level: Some}]'),
    /level/,
  ],
];

describe('the check of pages', () => {
  for (const [index, [story, , finding]] of stories.entries()) {
    it(`${finding ? 'finds' : 'accepts'} ${story}`, async () => {
      const found = (await findings).filter((each) => each.startsWith(`docs/story-${index}.md:`));
      if (finding === undefined) assert.deepEqual(found, []);
      else assert.match(found.join('\n'), finding);
    });
  }
});

describe('the check of shown commands', () => {
  const pageOf = (name: string, ...lines: readonly string[]): Page =>
    readPage({ path: name, text: block('console', ...lines) });

  it('finds a command of the README that is on no page whose commands the tests run', () => {
    const followed = pageOf('docs/getting-started.md', '$ cl up --detach', 'ready', '$ cl get pods');
    const findings = findUnrunCommands([followed, pageOf('README.md', '$ cl get pods', 'a  1/1', '$ cl get nodes')]);
    assert.ok(findings.includes('README.md: cl get nodes: is on no page whose commands the tests run'));
    assert.ok(!findings.some((finding) => finding.startsWith('README.md: cl get pods')));
  });
});

describe('the check of marks in the index', () => {
  it('finds a page that is marked as run and is not, and one that is run and not marked', () => {
    const index = readPage({
      path: 'docs/README.md',
      text: '| [A](security.md) ✓ | a |\n| [B](testing.md) | b |\n| [C](identity.md) ✓ | c |',
    });
    const followed = readPage({ path: 'docs/testing.md', text: block('console', '$ npm init -y') });
    const findings = findUnrunCommands([followed, index]).filter((finding) => finding.startsWith('docs/README.md'));
    assert.deepEqual(findings, [
      'docs/README.md: security.md: no test runs its commands',
      'docs/README.md: testing.md: its commands are run: mark it',
    ]);
  });
});

/** One server and one compiler for the stories with code, whose pages know each other's kinds. */
const findings = findingsIn(stories.map(([, text], index) => readPage({ path: `docs/story-${index}.md`, text })));
