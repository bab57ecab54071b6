import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One source file: its path below the root with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The root of the package: the checks are run from there. */
export const root = process.cwd();

/** Every file with the ending below a folder of the root. */
export function sourceFiles(folder: string, ending: string): SourceFile[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .toSorted()
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }));
}

/** Prints what was found and sets the exit code; silent success is one line. */
export function report(check: string, findings: readonly string[]): void {
  for (const finding of findings) console.error(finding);
  console.log(findings.length === 0 ? `${check}: ok` : `${check}: ${findings.length} finding(s)`);
  if (findings.length > 0) process.exitCode = 1;
}
