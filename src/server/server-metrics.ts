import type { Logger } from 'pino';
import { type Identifiers, identifiersOf } from '../identifiers/identifiers.ts';
import type { ServerOptions } from '../config/server-options.ts';
import { featuresOfRelease } from '../config/feature-gates.ts';
import { nodeMetrics } from '../metrics/node-metrics.ts';
import { type ApiRelease, isSince } from '../scheme/api-release.ts';
import { versionInfo } from '../config/version-info.ts';
import { counterVector } from '../metrics/metric-vector.ts';
import type { AllowedLabels } from '../metrics/allowed-labels.ts';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { MetricFamily } from '../metrics/metric-family.ts';
import { processMetrics } from '../metrics/process-metrics.ts';

/** The content of `/metrics` and of `/metrics/slis`. */
interface ServerMetrics {
  readonly metrics: MetricsRegistry;
  readonly slis: MetricsRegistry;
}

/**
 * Creates the metrics of a server, with the metrics of its process, and its service level
 * indicators. The names and help texts are as in kube-apiserver where it has them.
 */
export function createMetrics(options: ServerOptions, log: Logger, allowedLabels: AllowedLabels): ServerMetrics {
  const { emulatedRelease: release, showHiddenMetricsForVersion, disabledMetrics: disabled } = options;
  const metrics = new MetricsRegistry({
    ...ofAllProcesses(options),
    release,
    disabled,
    allowedLabels,
    showHidden: showHiddenMetricsForVersion !== undefined,
    onDeprecated: ({ name, deprecated }) => log.debug(`the metric ${name} is deprecated since ${deprecated}`),
  });
  metrics.register(...processMetrics, ...nodeMetrics(), buildInfo(identifiersOf(options.identifiers), release));
  if (isSince(release, '1.34')) metrics.register(emulationInfo(options));
  if (isSince(release, '1.26')) metrics.register(featureMetric(identifiersOf(options.identifiers), options));
  const slis = new MetricsRegistry({ ...ofAllProcesses(options), disabled, allowedLabels });
  options.siblings?.offerMetrics(() => [...metrics.snapshot(), ...slis.snapshot()]);
  return { metrics, slis };
}

function ofAllProcesses({ siblings }: ServerOptions) {
  return siblings ? { gather: () => siblings.gatherMetrics() } : {};
}

function buildInfo({ product }: Identifiers, release: ApiRelease): MetricFamily {
  const version = versionInfo(release);
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = version;
  const labels = {
    major,
    minor,
    git_version: gitVersion,
    git_commit: gitCommit,
    git_tree_state: gitTreeState,
    build_date: buildDate,
    go_version: goVersion,
    compiler,
    platform,
  };
  return {
    name: `${product}_build_info`,
    help: "A metric with a constant '1' value labeled by the fields of /version.",
    type: 'gauge',
    merge: 'largest',
    labelNames: Object.keys(labels),
    samples: () => [{ labels, value: 1 }],
  };
}

/** The info metric with the emulated release and the oldest compatible one. */
function emulationInfo({ emulatedRelease, minCompatibilityVersion }: ServerOptions): MetricFamily {
  const {
    emulationMajor = '',
    emulationMinor = '',
    minCompatibilityMajor = '',
    minCompatibilityMinor = '',
  } = versionInfo(emulatedRelease, minCompatibilityVersion);
  const labels = {
    binary: `${emulatedRelease}.0`,
    component: 'kube',
    emulation: `${emulationMajor}.${emulationMinor}`,
    min_compat: `${minCompatibilityMajor}.${minCompatibilityMinor}`,
  };
  return {
    name: 'version_info',
    help: 'Provides the compatibility version info of the component. The component label is the name of the component, usually kube, but is relevant for aggregated-apiservers.',
    type: 'gauge',
    merge: 'largest',
    labelNames: Object.keys(labels),
    samples: () => [{ labels, value: 1 }],
  };
}

/** The stage labels of features. Stable features have none. */
const stageLabels = { alpha: 'ALPHA', beta: 'BETA', ga: '', deprecated: 'DEPRECATED' } as const;

/** The metric of the release's feature gates; computed for each reader, because there are many. */
function featureMetric({ product }: Identifiers, options: ServerOptions): MetricFamily {
  return {
    name: `${product}_feature_enabled`,
    help: 'This metric records the data about the stage and enablement of a k8s feature.',
    stability: 'BETA',
    type: 'gauge',
    merge: 'largest',
    labelNames: ['name', 'stage'],
    samples: () =>
      featuresOfRelease(options).map(({ name, stage, isOn }) => {
        return { labels: { name, stage: stageLabels[stage] }, value: isOn ? 1 : 0 };
      }),
  };
}

/** Registers the counter of failed TLS handshakes; returns the function that counts one. */
export function countHandshakeErrors(metrics: MetricsRegistry): () => void {
  const family = counterVector(
    {
      name: 'apiserver_tls_handshake_errors_total',
      help: "Number of requests dropped with 'TLS handshake error from' error",
    },
    [],
  );
  metrics.register(family);
  const errors = family.with();
  return () => errors.add();
}
