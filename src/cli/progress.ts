import { performance } from 'node:perf_hooks';
import type { CliIo } from './cli-io.ts';

/** Work that is over by then shows nothing. */
const silentMs = 1_000;
const redrawMs = 200;

/** The codes that go to the begin of the line, and clear what is on it. */
const clearLine = '\r\u001b[K';

/** Says how far work has come: `12 of 40 objects`. */
type Report = (text: string) => void;

/**
 * Runs work that may last. After a second its newest report is in the last line of the terminal,
 * until the work ends. A pipe or a file gets nothing.
 */
export async function withProgress<Result>(
  { stderr }: Pick<CliIo, 'stderr'>,
  work: (report: Report) => Promise<Result>,
): Promise<Result> {
  if (!('isTTY' in stderr) || stderr.isTTY !== true) return work(() => {});
  const startMs = performance.now();
  let [newest, shown] = ['', ''];
  const timer = setInterval(() => {
    if (newest === shown || performance.now() - startMs < silentMs) return;
    stderr.write(`${clearLine}${newest}`);
    shown = newest;
  }, redrawMs);
  try {
    return await work((text) => (newest = text));
  } finally {
    clearInterval(timer);
    if (shown !== '') stderr.write(clearLine);
  }
}

/** Passes items on, and reports how many it has passed. */
export async function* counted<Item>(items: AsyncIterable<Item>, report: (count: number) => void): AsyncIterable<Item> {
  let count = 0;
  for await (const item of items) {
    report(++count);
    yield item;
  }
}
