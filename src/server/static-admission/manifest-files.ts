import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { parseConfigurationObject } from '../../config/configuration-file.ts';
import type { JsonObject } from '../../meta/json-value.ts';

/** The documents of the manifests in a folder. */
interface ManifestFiles {
  readonly documents: readonly ManifestDocument[];
  /** Identifies the contents of the files; '' for none. */
  readonly hash: string;
}

/** A document and its file. */
export interface ManifestDocument {
  readonly file: string;
  readonly content: JsonObject;
}

const extensions: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml']);

/** A folder with more than this is not one of manifests of admission. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Reads the YAML and JSON files of a folder by the order of their names. Folders in it are left
 * out. Rejects if a file cannot be read or is too large.
 */
export async function readManifestFiles(folder: string, known = ''): Promise<ManifestFiles | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) =>
    !entry.isDirectory() && extensions.has(extname(entry.name).toLowerCase()) ? [entry.name] : [],
  );
  const hash = createHash('sha256');
  const texts: { readonly file: string; readonly text: string }[] = [];
  let bytes = 0;
  for (const name of names.toSorted()) {
    const file = join(folder, name);
    const content = await readFile(file);
    if (content.length === 0) continue;
    bytes += content.length;
    if (bytes > mostBytes) throw new Error(`the manifests of ${folder} exceed ${mostBytes} bytes`);
    hash.update(content).update('\0');
    texts.push({ file, text: content.toString('utf8') });
  }
  const found = texts.length === 0 ? '' : `sha256:${hash.digest('hex')}`;
  if (found === known && known !== '') return undefined;
  return { hash: found, documents: texts.flatMap(documentsOf) };
}

const separator = /^---[ \t]*\r?$/m;

function documentsOf({ file, text }: { readonly file: string; readonly text: string }): readonly ManifestDocument[] {
  return text.split(separator).flatMap((part) => {
    if (part.trim() === '') return [];
    try {
      return [{ file, content: parseConfigurationObject(part) }];
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`error loading ${file}: ${problem}`, { cause });
    }
  });
}
