import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The types of what pages are made of. */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Sends a file of a folder, or the `index.html` of a folder in it; 404 for any other path. */
export async function serveFile(folder: string, path: string, response: ServerResponse): Promise<void> {
  const file = await fileAt(folder, path);
  if (file === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
    return;
  }
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
  await pipeline(createReadStream(file), response);
}

/** The file of a path; undefined if there is none within the folder, links followed. */
async function fileAt(folder: string, path: string): Promise<string | undefined> {
  try {
    const root = await realpath(folder);
    const found = await realpath(join(root, resolve('/', decodeURIComponent(path))));
    const file = (await stat(found)).isDirectory() ? await realpath(join(found, 'index.html')) : found;
    const way = relative(root, file);
    if (way === '..' || way.startsWith(`..${sep}`)) return undefined;
    return (await stat(file)).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
