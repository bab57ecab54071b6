import { performance } from 'node:perf_hooks';
import { humanDuration } from '../../../meta/human-duration.ts';
import type { CliIo } from '../../cli-io.ts';

/** After this time the pace is known. */
const measuredMs = 3_000;
/** Less time than this is not worth a note. */
const longMs = 60_000;

/**
 * Reports how far the revision of an etcd was raised and how long the rest takes, at the pace so
 * far. If that is long, a note says so once, also where no progress is shown.
 */
export function raiseReport(
  { stderr }: Pick<CliIo, 'stderr'>,
  report: (text: string) => void,
  now: () => number = () => performance.now(),
): (reached: number, wanted: number) => void {
  let begin: { readonly revision: number; readonly atMs: number } | undefined;
  let noted = false;
  return (reached, wanted) => {
    begin ??= { revision: reached, atMs: now() };
    const tookMs = now() - begin.atMs;
    const text = `revision ${reached} of ${wanted} is reached`;
    if (tookMs < measuredMs || reached === begin.revision) return report(text);
    const leftMs = ((wanted - reached) * tookMs) / (reached - begin.revision);
    report(`${text}, ${humanDuration(leftMs)} left`);
    if (noted || leftMs < longMs) return;
    noted = true;
    const pace = Math.round(((reached - begin.revision) * 1000) / tookMs);
    stderr.write(
      `${'isTTY' in stderr && stderr.isTTY ? '\n' : ''}raising the revision to ${wanted} takes about ${humanDuration(leftMs)} ` +
        `(${pace} a second); the same command goes on where an interrupted one has ended\n`,
    );
  };
}
