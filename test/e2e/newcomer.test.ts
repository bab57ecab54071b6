import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { followedPages } from '../../hack/docs/followed-pages.ts';
import { followPage, packPackages, type PageCommand } from './page-session.ts';

/** The ten tasks of a newcomer, and the sections that they are done by. */
const tasks: Readonly<Record<string, readonly [page: string, section: string]>> = {
  'install it': ['getting-started', 'Install'],
  'start it': ['getting-started', 'Start'],
  'write the first object': ['getting-started', 'The first object'],
  'define the first custom kind': ['getting-started', 'A kind of your own'],
  'run the first operator': ['writing-an-operator', 'Run it'],
  'run the first test': ['testing', 'The first test'],
  'give the first right': ['getting-started', 'An access rule'],
  'run the first webhook': ['your-own-api', 'A webhook'],
  'look at the dashboard': ['getting-started', 'Look around'],
  'do the first upgrade': ['upgrading', 'The first upgrade'],
};

/** A shown line as a pattern: numbers and generated names differ, `...` stands for any text, and for any lines. */
function patternOf(line: string): string {
  if (line.trim() === '...') return '(?:.*\n)*?';
  const parts = line.trimEnd().split(/(\.\.\.|\s+|\d+(?:\.\d+)*)/);
  const text = parts.map((part) => {
    if (part === '...') return '.*';
    if (/^\s+$/.test(part)) return String.raw`[ \t]+`;
    return /^\d/.test(part) ? String.raw`\d+(?:\.\d+)*` : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  });
  return `${text.join('')}[ \\t]*\n`;
}

function checkCommand({ command: { text, output: shown, line }, output, exitCode }: PageCommand): void {
  const name = `line ${line}: ${text}\n${output}`;
  assert.notEqual(exitCode, undefined, `${name}\nwas not reached`);
  const lines = shown.replace(/\n*$/, '\n').split('\n').slice(0, -1);
  if (shown.trim() !== '') assert.match(output, new RegExp(`^${lines.map(patternOf).join('')}$`), name);
  // Shown output may be that of an error.
  else assert.equal(exitCode, 0, name);
}

describe('the pages for a newcomer', () => {
  let packages: string;
  before(async () => {
    packages = await packPackages();
  });
  after(() => rm(packages, { recursive: true, force: true }));

  for (const [task, [page, section]] of Object.entries(tasks)) {
    it(`say how to ${task}`, () => {
      const [, sections] = followedPages.find(([followed]) => followed === page) ?? [];
      assert.ok(sections?.includes(section), `${section} of docs/${page}.md is not followed`);
    });
  }

  for (const [page, sections] of followedPages) {
    describe(`docs/${page}.md`, () => {
      let commands: readonly PageCommand[] = [];
      let seen = '';
      before(async () => {
        ({ commands, seen } = await followPage(page, packages));
      });
      it('has commands in these sections alone', () => {
        assert.deepEqual([...new Set(commands.map(({ task }) => task))], sections);
      });
      if (page === 'getting-started') {
        it('shows the dashboard, and the objects of its user, in the browser that it opens', () => {
          assert.match(
            seen,
            /^\/dashboard 200 <!doctype html>[^]*<script[^]*^\/api\/v1\/namespaces 200 .*"NamespaceList"/im,
          );
        });
      }
      for (const section of sections) {
        it(`${section}: works as printed`, () => {
          for (const command of commands.filter(({ task }) => task === section)) checkCommand(command);
        });
      }
    });
  }
});
