import type { PanelLine } from './panel-history.ts';

/** The size of a plot in its own units. */
export const plotSize = { width: 320, height: 96 } as const;

/** The shapes of a plot: the value at its top, and a path for each line. */
interface PlotShape {
  readonly top: number;
  readonly paths: readonly string[];
}

/** The shortest time that a plot spans, so that its first points are not far apart. */
const shortestSpanMs = 60_000;

/** Room for the width of a line at the edges. */
const edge = 2;

/** Draws lines as paths of SVG. The value 0 is at the bottom, the latest time at the right. */
export function plotShape(timesMs: readonly number[], lines: readonly PanelLine[]): PlotShape {
  const highest = Math.max(0, ...lines.flatMap(({ highest: value }) => value ?? []));
  const top = highest === 0 ? 1 : roundUp(highest);
  const end = timesMs.at(-1) ?? 0;
  const span = Math.max(shortestSpanMs, end - (timesMs[0] ?? 0));
  const x = (timeMs: number): number => plotSize.width * (1 - (end - timeMs) / span);
  const y = (value: number): number => edge + (plotSize.height - 2 * edge) * (1 - value / top);
  const paths = lines.map(({ points }) => {
    let isDown = false;
    return points
      .map((value, index) => {
        if (value === undefined) {
          isDown = false;
          return '';
        }
        const at = `${x(timesMs[index] ?? 0).toFixed(1)},${y(value).toFixed(1)}`;
        // A single point is seen as a dot of the line's round end.
        const command = isDown ? `L${at}` : `M${at}h0`;
        isDown = true;
        return command;
      })
      .join('');
  });
  return { top, paths };
}

/** The next of 1, 2 and 5 and their multiples by powers of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}
