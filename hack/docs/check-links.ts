import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../source-files.ts';
import type { Page } from './markdown.ts';

/** A link of a page, and the number of its line. */
interface FoundLink {
  readonly line: number;
  readonly target: string;
}

const inline = /\]\(\s*<?([^)\s>]*)>?(?:\s+"[^"]*")?\s*\)/g;
const reference = /^\[[^\]]+\]:\s+(\S+)/g;
const attribute = /\b(?:href|src)="([^"]*)"/g;

function linksOf({ prose }: Page): FoundLink[] {
  return prose.flatMap((text, index) => {
    const words = text.replaceAll(/`[^`]*`/g, '');
    const matches = [inline, reference, attribute].flatMap((pattern) => [...words.matchAll(pattern)]);
    return matches.map(([, target = '']) => ({ line: index + 1, target }));
  });
}

/** The anchors of the headings of a page, as GitHub makes them: `A `b` c!` is `a-b-c`. */
function anchorsOf({ prose }: Page): ReadonlySet<string> {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  for (const line of prose) {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    for (const [, id = ''] of line.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
    if (heading === undefined) continue;
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/** A finding for each link whose file or heading does not exist, or whose URL is not one. */
export function findBrokenLinks(pages: readonly Page[]): string[] {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
  return pages.flatMap((page) =>
    linksOf(page).flatMap(({ line, target }) => {
      const fault = isExternal(target) ? faultOfUrl(target) : faultOfPath(page.path, target, anchors);
      return fault === undefined ? [] : [`${page.path}:${line}: link to ${target || 'nothing'}: ${fault}`];
    }),
  );
}

function isExternal(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target);
}

function faultOfUrl(target: string): string | undefined {
  if (/^mailto:[^@\s]+@[^@\s]+$/.test(target)) return undefined;
  return URL.canParse(target) && new URL(target).protocol === 'https:' ? undefined : 'not a URL with https';
}

function faultOfPath(
  page: string,
  target: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): string | undefined {
  const [name = '', anchor] = target.split('#', 2);
  if (name.startsWith('/')) return 'use a path relative to the page';
  const file = name === '' ? page : path.posix.join(path.posix.dirname(page), decodeURIComponent(name));
  const known = anchors.get(file);
  if (!known && (file.startsWith('..') || !existsSync(path.join(root, file)))) return 'no such file';
  if (anchor === undefined) return undefined;
  if (known === undefined) return 'an anchor of a file that is no page';
  return known.has(decodeURIComponent(anchor)) ? undefined : 'no such heading';
}
