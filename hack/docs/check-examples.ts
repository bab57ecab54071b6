import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../source-files.ts';
import type { CodeBlock, Page } from './markdown.ts';

/** The pages that show pieces of files of a changed repository, which nothing can check. */
const mayBeUnchecked: ReadonlySet<string> = new Set(['docs/tutorial-change.md']);

/** A line of an extract that stands for lines of the file. */
const gap = /^\s*(?:\/\/|#) (?:\.\.\.|…)\s*$/;

/**
 * A finding for each block that says to be of a file (`from=examples/…`) and is not, names a file
 * (`file=`) that the text before does not name, or is marked `unchecked` without need.
 */
export function findBrokenExamples(pages: readonly Page[]): string[] {
  return pages.flatMap((page) =>
    page.blocks.flatMap((block) => {
      const faults = [faultOfExtract(block), faultOfName(page, block), faultOfMark(block)];
      return faults.flatMap((fault) => (fault === undefined ? [] : [`${page.path}:${block.line}: ${fault}`]));
    }),
  );
}

function faultOfExtract({ settings: { from }, text }: CodeBlock): string | undefined {
  if (from === undefined) return undefined;
  const file = path.join(root, from);
  if (!existsSync(file)) return `no file ${from}`;
  const lines = linesOf(readFileSync(file, 'utf8'));
  let at = 0;
  for (const piece of piecesOf(text)) {
    const found = lines.findIndex(
      (_, index) => index >= at && piece.every((line, each) => lines[index + each] === line),
    );
    if (found < 0) return `not a part of ${from}: ${JSON.stringify(piece[0])} and the lines after it`;
    at = found + piece.length;
  }
  return undefined;
}

/** Lines without their indentation and without empty ones. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/** The runs of lines between gaps. */
function piecesOf(text: string): string[][] {
  const pieces: string[][] = [[]];
  for (const line of linesOf(text)) {
    if (gap.test(line)) pieces.push([]);
    else pieces.at(-1)?.push(line);
  }
  return pieces.filter((piece) => piece.length > 0);
}

/** How many lines before a block may name its file. */
const linesBefore = 8;

function faultOfName({ prose }: Page, { settings: { file }, line }: CodeBlock): string | undefined {
  const before = prose.slice(Math.max(0, line - linesBefore), line).join('\n');
  return file === undefined || before.includes(`\`${file}\``) ? undefined : `the text before does not name \`${file}\``;
}

function faultOfMark({ marks, page }: CodeBlock): string | undefined {
  return marks.has('unchecked') && !mayBeUnchecked.has(page)
    ? 'every example is checked: unchecked is not for this page'
    : undefined;
}
