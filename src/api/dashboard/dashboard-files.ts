import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledFolder } from '../../package/module-file.ts';

/** A file of the dashboard in the encodings that it is sent in. */
interface DashboardFile {
  readonly contentType: string;
  /** A strong validator of the contents, in quotes. */
  readonly etag: string;
  readonly identity: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The files of the dashboard and their types. */
const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** The paths that the dashboard is served at, for readers without credentials. */
export const dashboardPaths: readonly string[] = ['/dashboard', '/dashboard/*'];

/** Reports whether a path is one of a file of the dashboard. */
export function isDashboardPath(path: string): boolean {
  const [, first, name, ...rest] = path.replace(/\/$/, '').split('/');
  return first === 'dashboard' && rest.length === 0 && (name === undefined || Object.hasOwn(types, name));
}

/**
 * The headers of each file of the dashboard. Scripts, styles and requests are limited to the server
 * that sent the page, no other page may frame it, and no text becomes HTML or code.
 */
const dashboardHeaders: Readonly<Record<string, string>> = Object.freeze({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
});

/**
 * Reads the files of the dashboard, by the path that each is served at; `/dashboard` is the page.
 * They stay in memory, because the files of a program may go while it runs. Throws if the
 * installation has no dashboard.
 */
export function readDashboardFiles(): ReadonlyMap<string, DashboardFile> {
  const folder = bundledFolder('dashboard/index.html');
  return new Map(
    Object.entries(types).map(([name, contentType]) => {
      const read = (ending: string): Buffer => readFileSync(join(folder, `${name}${ending}`));
      const identity = read('');
      const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`;
      const file = { contentType, etag, identity, br: read('.br'), gzip: read('.gz') };
      return [name === 'index.html' ? '/dashboard' : `/dashboard/${name}`, file];
    }),
  );
}

/** The answer to a request for a file: its status, headers and body. */
interface FileAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The answer to a GET of a file, in the smallest encoding that the reader accepts, or 304 if the
 * reader has it.
 */
export function answerWithFile(
  { etag, identity, br, gzip }: DashboardFile,
  { ifNoneMatch = '', acceptEncoding = '' }: { readonly ifNoneMatch?: string; readonly acceptEncoding?: string },
): FileAnswer {
  const headers = { ...dashboardHeaders, ETag: etag, Vary: 'Accept-Encoding' };
  const known = new Set(ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  if (known.has(etag) || known.has('*')) return { status: 304, headers, body: Buffer.alloc(0) };
  if (accepts(acceptEncoding, 'br'))
    return { status: 200, headers: { ...headers, 'Content-Encoding': 'br' }, body: br };
  if (!accepts(acceptEncoding, 'gzip')) return { status: 200, headers, body: identity };
  return { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: gzip };
}

/** Reports whether an Accept-Encoding header names an encoding without refusing it. */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
