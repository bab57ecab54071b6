import type { UserInfo } from '../meta/user-info.ts';

/** One line of a token file. */
export interface TokenEntry {
  readonly token: string;
  readonly user: UserInfo;
}

/**
 * Parses lines of `token,user,uid,"group1,group2"`. Blank lines and lines starting with `#` are
 * skipped. Throws an Error that names the line but not the token.
 */
export function parseTokenFile(text: string): TokenEntry[] {
  const entries: TokenEntry[] = [];
  const lines = new Map<string, number>();
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const number = index + 1;
    const entry = parseLine(line, number);
    const earlier = lines.get(entry.token);
    if (earlier !== undefined) throw new Error(`line ${number}: the token of line ${earlier} is repeated`);
    lines.set(entry.token, number);
    entries.push(entry);
  }
  return entries;
}

function parseLine(line: string, number: number): TokenEntry {
  const fields = splitFields(line, number);
  const [token = '', username = '', uid = '', groups = ''] = fields;
  if (fields.length < 3)
    throw new Error(`line ${number}: at least token, user and uid are needed, found ${fields.length} fields`);
  if (token === '') throw new Error(`line ${number}: the token is empty`);
  if (username === '') throw new Error(`line ${number}: the user is empty`);
  const list = groups
    .split(',')
    .map((group) => group.trim())
    .filter(Boolean);
  return { token, user: { username, uid, groups: list, extra: {} } };
}

const field = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;

/** Splits a CSV line (RFC 4180, without line breaks in quotes) into fields. */
function splitFields(line: string, number: number): string[] {
  const fields: string[] = [];
  field.lastIndex = 0;
  for (;;) {
    const match = field.exec(line);
    if (!match) throw new Error(`line ${number}: a quote is misplaced in field ${fields.length + 1}`);
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return fields;
  }
}
