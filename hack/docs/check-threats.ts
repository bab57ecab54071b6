import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../source-files.ts';
import type { Page } from './markdown.ts';

/** The headings of the columns with paths, and the files of a path. */
const columns: Readonly<Record<string, (name: string) => readonly string[]>> = {
  code: (name) => [`src/${name}`, `src/${name}.ts`],
  test: (name) => [`test/${name}`, `test/${name}.ts`, `test/${name}.test.ts`],
};

/**
 * A finding for each row of a table of threats without an owner or a test, and for each of their
 * paths that does not exist. A row without a test says why in words.
 */
export function findOwnerlessThreats(pages: readonly Page[], exists = isFile): string[] {
  return pages
    .filter((page) => page.path === 'docs/threats.md')
    .flatMap(({ path: file, prose }) => {
      let headings: readonly string[] = [];
      return prose.flatMap((line, index) => {
        if (!line.startsWith('|')) {
          headings = [];
          return [];
        }
        const cells = cellsOf(line);
        if (headings.length === 0) headings = cells;
        else if (!/^[|: -]+$/.test(line)) {
          return rowFaults(headings, cells, exists).map((fault) => `${file}:${index + 1}: ${fault}`);
        }
        return [];
      });
    });
}

function cellsOf(line: string): readonly string[] {
  return line
    .replaceAll('\\|', '')
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function rowFaults(
  headings: readonly string[],
  cells: readonly string[],
  exists: (file: string) => boolean,
): readonly string[] {
  if (cells.length !== headings.length) return [`${cells.length} cells below ${headings.length} headings`];
  return Object.entries(columns).flatMap(([column, filesOf]) => {
    const cell = cells[headings.findIndex((heading) => heading.startsWith(column))];
    if (cell === undefined) return [`the table has no column ${column}`];
    const [text = ''] = cell.split(';', 1);
    const names = [...text.matchAll(/`([a-zA-Z0-9./-]+\/?[a-zA-Z0-9./-]*)`/g)].map(([, name = '']) => name);
    if (column === 'code' && names.length === 0) return ['no owner'];
    if (cell === '') return ['no test, and no reason for none'];
    const wanted = column === 'code' ? names : names.filter((name) => name.includes('/'));
    return wanted.filter((name) => !filesOf(name).some(exists)).map((name) => `${column} ${name}: no such file`);
  });
}

function isFile(file: string): boolean {
  return existsSync(path.join(root, file));
}
