import type { MaybePromise } from '../async/maybe-promise.ts';
import { type Histogram, histogramVector } from '../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import { type AdmissionAttributes, type AdmissionChain, mutate, type Operation, validate } from './admission.ts';

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** The phases as kube-apiserver names them. */
type Phase = 'admit' | 'validate';

/** Bounds in seconds, as in kube-apiserver. */
const bounds = [0.005, 0.025, 0.1, 0.5, 2.5];

type Work = (attributes: AdmissionAttributes) => MaybePromise<void>;

/**
 * Returns a chain that does the same and measures each plugin and both phases. Registers their
 * families. A measurement costs some 0.1 µs for each plugin that runs.
 */
export function measuredChain(chain: AdmissionChain, metrics: MetricsRegistry): AdmissionChain {
  const ofPlugins = histogramVector(
    {
      name: 'apiserver_admission_controller_admission_duration_seconds',
      help: 'Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
      stability: 'STABLE',
    },
    ['name', 'operation', 'rejected', 'type'],
    bounds,
  );
  const ofPhases = histogramVector(
    {
      name: 'apiserver_admission_step_admission_duration_seconds',
      help: 'Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).',
      stability: 'STABLE',
    },
    ['operation', 'rejected', 'type'],
    bounds,
  );
  metrics.register(ofPlugins, ofPhases);
  const measuredPlugin = (name: string, phase: Phase, work: Work): Work =>
    measured(work, (operation, rejected) => ofPlugins.with(name, operation, rejected, phase));
  const measuredPhase = (phase: Phase, work: Work): Work =>
    measured(work, (operation, rejected) => ofPhases.with(operation, rejected, phase));
  const plugins: AdmissionChain = chain.map((plugin) => ({
    name: plugin.name,
    operations: plugin.operations,
    ...(plugin.mutate && { mutate: measuredPlugin(plugin.name, 'admit', (write) => plugin.mutate?.(write)) }),
    ...(plugin.validate && { validate: measuredPlugin(plugin.name, 'validate', (write) => plugin.validate?.(write)) }),
  }));
  return [
    {
      name: 'all',
      operations,
      mutate: measuredPhase('admit', (write) => mutate(plugins, write)),
      validate: measuredPhase('validate', (write) => validate(plugins, write)),
    },
  ];
}

function measured(work: Work, seriesOf: (operation: Operation, rejected: 'true' | 'false') => Histogram): Work {
  const passed = new Map<Operation, Histogram>();
  const seriesOfPassed = (operation: Operation): Histogram => {
    const known = passed.get(operation);
    if (known) return known;
    const series = seriesOf(operation, 'false');
    passed.set(operation, series);
    return series;
  };
  return (attributes) => {
    const { operation } = attributes;
    const startMs = performance.now();
    const seconds = (): number => (performance.now() - startMs) / 1_000;
    const admit = (): void => seriesOfPassed(operation).observe(seconds());
    const refuse = (error: unknown): never => {
      seriesOf(operation, 'true').observe(seconds());
      throw error;
    };
    try {
      const pending = work(attributes);
      return pending instanceof Promise ? pending.then(admit, refuse) : admit();
    } catch (error) {
      return refuse(error);
    }
  };
}
