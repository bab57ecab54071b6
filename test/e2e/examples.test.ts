import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { followedPages } from '../../hack/docs/followed-pages.ts';
import { readPage } from '../../hack/docs/markdown.ts';
import { shellLines } from '../../hack/docs/shell-lines.ts';
import { sourceFiles } from '../../hack/source-files.ts';
import { copyExamples, type ExampleProjects } from './example-projects.ts';

const run = promisify(execFile);
const examples = fileURLToPath(new URL('../../../examples', import.meta.url));
const entries = readdirSync(examples, { withFileTypes: true });
const names = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').map(({ name }) => name);

/** Examples whose files and commands are on a page that `newcomer.test.ts` follows: it runs their test. */
const onPages: Readonly<Record<string, string>> = { operator: 'writing-an-operator', 'tests-node-test': 'testing' };

describe('the examples', () => {
  let projects: ExampleProjects;
  before(async () => {
    projects = await copyExamples();
  });
  after(() => projects[Symbol.asyncDispose]());

  it('are ten', () => assert.equal(names.length, 10));

  for (const [name, page] of Object.entries(onPages)) {
    it(`${name}: its files and its test are those of docs/${page}.md`, () => {
      assert.ok(followedPages.some(([followed]) => followed === page));
      const source = sourceFiles('docs', '.md').find((file) => file.path === `docs/${page}.md`);
      assert.ok(source);
      const { blocks } = readPage(source);
      for (const file of readdirSync(path.join(examples, name))) {
        if (file === 'README.md' || file === 'package.json') continue;
        const text = readFileSync(path.join(examples, name, file), 'utf8');
        const block = blocks.find(({ settings: { from } }) => from === `examples/${name}/${file}`);
        assert.equal(block && `${block.text}\n`, text, `${file} is not wholly on the page`);
      }
      const session = blocks
        .filter(({ language }) => language === 'console')
        .flatMap((each) => shellLines(each.text, 1));
      const commands = new Set(
        session.map(({ text }) => text.replace('./node_modules/.bin/', '').replace(' --test-reporter=spec', '')),
      );
      for (const command of testOf(name).split(' && ')) assert.ok(commands.has(command), command);
    });
  }

  for (const name of names.filter((each) => !Object.hasOwn(onPages, each))) {
    it(`${name}: npm test passes, as its README says`, async () => {
      const readme = readFileSync(path.join(examples, name, 'README.md'), 'utf8');
      assert.match(readme, /^ {4}npm install\n {4}npm test$/m);
      const options = { cwd: projects.folder(name), env: userEnvironment() };
      const { stdout, stderr } = await run('npm', ['test'], options).catch((error: { stdout: string }) => {
        assert.fail(error.stdout);
      });
      assert.match(`${stdout}${stderr}`, /\b(?:pass(?:ing|ed)? \d|\d passing|\d passed)/);
    });
  }
});

/** The line that `npm test` runs in an example. */
function testOf(name: string): string {
  const manifest = readFileSync(path.join(examples, name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly scripts: { readonly test: string } }).scripts.test;
}

/** The environment without what a test of this project gives to its children, and without colours, which `CI` brings. */
function userEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, FORCE_COLOR: _colour, ...rest } = process.env;
  return { ...rest, NO_COLOR: '1' };
}
