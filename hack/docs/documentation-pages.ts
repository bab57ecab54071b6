import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root, sourceFiles } from '../source-files.ts';
import { type Page, readPage } from './markdown.ts';

/** The folders with pages. */
const folders = ['deploy', 'docs', 'examples', 'hack', 'proto', 'src', 'test'];

/** All pages of the repository: those of the root, and those below its folders. */
export function documentationPages(): Page[] {
  const names = readdirSync(root).filter((name) => name.endsWith('.md'));
  const own = names.map((name) => ({ path: name, text: readFileSync(path.join(root, name), 'utf8') }));
  const present = folders.filter((folder) => existsSync(path.join(root, folder)));
  const below = present.flatMap((folder) => sourceFiles(folder, '.md'));
  return [...own, ...below].filter((file) => !file.path.includes('node_modules/')).map(readPage);
}
