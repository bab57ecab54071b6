import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { copyExamples, type ExampleProjects } from './example-projects.ts';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../../examples', import.meta.url));
const entries = readdirSync(source, { withFileTypes: true });
const names = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').map(({ name }) => name);

describe('the examples', () => {
  let projects: ExampleProjects;
  before(async () => {
    projects = await copyExamples();
  });
  after(() => projects[Symbol.asyncDispose]());

  it('are ten', () => assert.equal(names.length, 10));

  for (const name of names) {
    it(`${name}: npm test passes, as its README says`, async () => {
      const readme = readFileSync(path.join(source, name, 'README.md'), 'utf8');
      assert.match(readme, /^ {4}npm install\n {4}npm test$/m);
      const options = { cwd: projects.folder(name), env: userEnvironment() };
      const { stdout, stderr } = await run('npm', ['test'], options).catch((error: { stdout: string }) => {
        assert.fail(error.stdout);
      });
      assert.match(`${stdout}${stderr}`, /\b(?:pass(?:ing|ed)? \d|\d passing|\d passed)/);
    });
  }
});

/** The environment without what a test of this project gives to its children, and without colours, which `CI` brings. */
function userEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, FORCE_COLOR: _colour, ...rest } = process.env;
  return { ...rest, NO_COLOR: '1' };
}
