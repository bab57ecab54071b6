import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../source-files.ts';
import { followedPages } from './followed-pages.ts';
import type { Page } from './markdown.ts';
import { shellLines } from './shell-lines.ts';
import { pictureCommands } from './terminal-picture.ts';

/** The pages that show commands of others, so that nobody need run them again. */
const repeating: ReadonlySet<string> = new Set(['README.md']);
const picture = 'docs/terminal.svg';

/**
 * A finding for each command of the README and of its picture that is on no page whose commands the
 * tests run, and for each false mark of the index.
 */
export function findUnrunCommands(pages: readonly Page[]): string[] {
  const followed = new Set(followedPages.map(([name]) => `docs/${name}.md`));
  const run = new Set(pages.filter((page) => followed.has(page.path)).flatMap((page) => sessionLines(page)));
  if (run.size === 0) return [];
  const shown = [
    ...pages
      .filter((page) => repeating.has(page.path))
      .flatMap((page) => sessionLines(page).map((command) => [page.path, command] as const)),
    ...commandsOfPicture().map((command) => [picture, command] as const),
  ];
  return [
    ...shown
      .filter(([, command]) => !run.has(command))
      .map(([page, command]) => `${page}: ${command}: is on no page whose commands the tests run`),
    ...falseMarks(pages),
  ];
}

const index = 'docs/README.md';

/** A finding for each page of the index that is marked as run and is not, or the other way round. */
function falseMarks(pages: readonly Page[]): string[] {
  const lines = pages.find((page) => page.path === index)?.prose ?? [];
  const links = lines.flatMap((line) => [...line.matchAll(/^\| \[[^\]]*\]\(([\w-]+)\.md\)( ✓)?/g)]);
  return links.flatMap(([, page = '', mark]) => {
    const isFollowed = followedPages.some(([followed]) => followed === page);
    if (isFollowed === (mark !== undefined)) return [];
    return [`${index}: ${page}.md: ${isFollowed ? 'its commands are run: mark it' : 'no test runs its commands'}`];
  });
}

function sessionLines({ blocks }: Page): string[] {
  const sessions = blocks.filter(({ language }) => language === 'console');
  return sessions.flatMap(({ text, line }) => shellLines(text, line).map((each) => each.text));
}

function commandsOfPicture(): readonly string[] {
  const file = path.join(root, picture);
  return existsSync(file) ? pictureCommands(readFileSync(file, 'utf8')) : [];
}
