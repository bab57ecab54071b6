import { formatValue } from '../../metrics/format-value.ts';
import { linesOf, type PanelHistory } from '../../metrics/panel-history.ts';
import type { Panel } from '../../metrics/panels.ts';
import { plotShape, plotSize } from '../../metrics/plot-shape.ts';

/** A panel as a plot, and as a table of the same numbers for readers who do not see it. */
export function Plot({ panel, history }: { readonly panel: Panel; readonly history: PanelHistory }) {
  const { title, about, unit } = panel;
  const lines = linesOf(panel, history);
  const { width, height } = plotSize;
  const { top, paths } = plotShape(history.timesMs, lines);
  return (
    <figure class="plot" aria-labelledby={`plot-${panel.id}`}>
      <figcaption>
        <h2 id={`plot-${panel.id}`}>{title}</h2>
        <p class="hint">{about}</p>
      </figcaption>
      <div class="picture">
        <span class="top-value" aria-hidden="true">
          {formatValue(top, unit)}
        </span>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
          {[0.5, 1].map((part) => (
            <line key={part} class="grid" x1={0} x2={width} y1={height * (1 - part) + 1} y2={height * (1 - part) + 1} />
          ))}
          <line class="axis" x1={0} x2={width} y1={height - 1} y2={height - 1} />
          {paths.map((path, index) => (
            <path key={lines[index]?.name} class={`line line-${index}`} d={path} vector-effect="non-scaling-stroke" />
          ))}
        </svg>
      </div>
      {lines.length === 0 ? (
        <p class="hint">None in this time.</p>
      ) : (
        <table class="legend">
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Now</th>
              <th scope="col">Lowest</th>
              <th scope="col">Highest</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, last, lowest, highest }, index) => (
              <tr key={name}>
                <th scope="row" title={name}>
                  <span class={`swatch line-${index}`} aria-hidden="true" /> {name}
                </th>
                <td>{formatValue(last, unit)}</td>
                <td>{formatValue(lowest, unit)}</td>
                <td>{formatValue(highest, unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </figure>
  );
}
