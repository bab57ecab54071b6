import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ClientConfigError } from './client-config.ts';

/** The fields of an entry of a client config by name. */
type EntryFields = Readonly<Record<string, unknown>>;

/** A text of a client config; undefined for an empty one. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * PEM from `<field>-data` (base64, which takes precedence) or from the file named by `<field>`.
 * `where` names the entry in errors. Throws ClientConfigError.
 */
export async function readMaterial(
  entry: EntryFields,
  field: string,
  directory: string,
  where: string,
): Promise<string | undefined> {
  const data = textOf(entry[`${field}-data`]);
  if (data !== undefined) return fromBase64(data, `${field}-data`, where);
  const path = textOf(entry[field]);
  return path === undefined ? undefined : readText(resolve(directory, path));
}

/** The data may be a key: errors do not show it. */
function fromBase64(data: string, field: string, where: string): string {
  // Files that were edited by hand have lines and lack padding.
  const compact = data.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.replace(/=+$/, '').length % 4 === 1) {
    throw new ClientConfigError(`${where}: ${field} must be base64`);
  }
  return Buffer.from(compact, 'base64').toString('utf8');
}

/** Reads a file. Throws ClientConfigError. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new ClientConfigError(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}

/** Reasons for which a file cannot be read, in words. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is no directory',
};

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return reasons[code] ?? code;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Leaves out fields without a value. */
export function withoutUndefined<T extends Record<string, unknown>>(fields: T): Defined<T> {
  // The remaining fields have no undefined value, as the type says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
