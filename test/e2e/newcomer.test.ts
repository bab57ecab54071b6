import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { followedPages } from '../../hack/docs/followed-pages.ts';
import { followPage, packPackages, type PageCommand } from './page-session.ts';

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
