import type { Page } from './markdown.ts';

/** The first and the last line of a conflict that git left in a file. */
const marker = /^(?:<{7}|>{7}) /;

/** A finding for each line of a page that a merge left there. */
export function findConflicts(pages: readonly Page[]): string[] {
  return pages.flatMap((page) =>
    page.prose.flatMap((text, index) =>
      marker.test(text) ? [`${page.path}:${index + 1}: a conflict of a merge is not resolved`] : [],
    ),
  );
}
