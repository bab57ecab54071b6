import { panels } from '../metrics/panels.ts';
import { Plot } from './metrics/plot.tsx';
import { useMetrics } from './metrics/use-metrics.ts';

/** The metrics of the server as plots, since the page was opened. */
export function MetricsPage() {
  const { histories, last, refusal, error } = useMetrics();
  if (refusal) return <Refusal {...refusal} />;
  const missing = panels.filter(({ id }) => last && !histories.has(id));
  return (
    // The plots have nothing else that the keyboard reaches, from which it could scroll.
    <section class="metrics-page" aria-label="Metrics" tabIndex={0}>
      <header class="bar">
        <h1>Metrics</h1>
        <span class="hint">Read every 5 seconds while this page is visible.</span>
        <span class={error === undefined ? 'state live' : 'state lost'} role="status">
          {error === undefined ? (last ? 'live' : 'loading') : `not read, trying again: ${error}`}
        </span>
      </header>
      <div class="plots">
        {panels.map((panel) => {
          const history = histories.get(panel.id);
          return history && <Plot key={panel.id} panel={panel} history={history} />;
        })}
      </div>
      {missing.length > 0 && (
        <p class="notice">The server does not report: {missing.map(({ title }) => title).join(', ')}.</p>
      )}
    </section>
  );
}

function Refusal({ code, message }: { readonly code: number; readonly message: string }) {
  return (
    <section class="metrics-page" aria-label="Metrics">
      <header class="bar">
        <h1>Metrics</h1>
      </header>
      <p class="error" role="alert">
        {message}
      </p>
      {code === 403 ? (
        <p>
          Reading metrics needs the verb <code>get</code> on the path <code>/metrics</code>. A ClusterRole gives it with
          a rule that has <code>nonResourceURLs: ["/metrics"]</code> and <code>verbs: ["get"]</code>; the role{' '}
          <code>system:monitoring</code> has such a rule. Bind one of them to your user, then open this page again.
        </p>
      ) : (
        <p>This server has no metrics at this address.</p>
      )}
    </section>
  );
}
