import { yieldIfLong } from '../../async/yield-if-long.ts';
import { type Histogram, histogramVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { AdmissionAttributes, AdmissionChain, AdmissionPlugin, Operation } from '../admission.ts';

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** The phases as kube-apiserver names them. */
type Phase = 'admit' | 'validate';

/** Bounds in seconds, as in kube-apiserver. */
const bounds = [0.005, 0.025, 0.1, 0.5, 2.5];

type Work = (attributes: AdmissionAttributes) => Promise<void> | void;

type SeriesOf = (operation: Operation, rejected: 'true' | 'false') => Histogram;

/**
 * Returns a chain that does the same and measures each plugin and both phases. Registers their
 * families. A plugin costs one reading of the clock, which also decides whether the chain yields
 * to other requests before the next plugin. Plugins that the resource of a write does not concern
 * are only counted, unless the request is traced.
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
  const measuredPhase = (phase: Phase, workOf: (plugin: AdmissionPlugin) => Work | undefined): Work => {
    const ofPhase: SeriesOf = (operation, rejected) => ofPhases.with(operation, rejected, phase);
    const phaseOf = new Map<Operation, MeasuredPhase>();
    for (const operation of operations) {
      const all = chain.flatMap((plugin) => {
        const work = plugin.operations.includes(operation) ? workOf(plugin) : undefined;
        const ofPlugin: SeriesOf = (_, rejected) => ofPlugins.with(plugin.name, operation, rejected, phase);
        return work ? [{ plugin, step: measuredWork(`${phase}.${plugin.name}`, operation, work, ofPlugin) }] : [];
      });
      const whole = measuredWork(phase, operation, () => {}, ofPhase);
      phaseOf.set(operation, { whole, stepsFor: stepsByResource(all) });
    }
    return (attributes) => {
      const measured = phaseOf.get(attributes.operation);
      const startMs = performance.now();
      if (!measured) return undefined;
      const { whole, stepsFor } = measured;
      const { steps, idle } = stepsFor(attributes);
      for (const step of idle) step.passed(0);
      // Field by field: a spread takes longer here than ten plugins that have nothing to do.
      return runFrom(0, { steps, whole, attributes, phaseMs: startMs, turnMs: startMs });
    };
  };
  return [
    {
      name: 'all',
      operations,
      mutate: measuredPhase('admit', (plugin) => plugin.mutate && ((write) => plugin.mutate?.(write))),
      validate: measuredPhase('validate', (plugin) => plugin.validate && ((write) => plugin.validate?.(write))),
    },
  ];
}

/** A work with its series, which exist from the first observation on. */
interface MeasuredWork {
  /** The name of the plugin in traces. */
  readonly name: string;
  readonly work: Work;
  passed(seconds: number): void;
  refused(seconds: number): void;
}

interface MeasuredPhase {
  readonly stepsFor: (attributes: AdmissionAttributes) => PhaseSteps;
  /** All steps together. */
  readonly whole: MeasuredWork;
}

/** The steps of a phase for the writes of a resource. */
interface PhaseSteps {
  readonly steps: readonly MeasuredWork[];
  /** The steps of plugins that the resource does not concern. */
  readonly idle: readonly MeasuredWork[];
}

/**
 * Returns a function that finds the steps of a write, which are selected once for each resource.
 */
function stepsByResource(
  all: readonly { readonly plugin: AdmissionPlugin; readonly step: MeasuredWork }[],
): MeasuredPhase['stepsFor'] {
  const stepsIf = (isConcerned: (plugin: AdmissionPlugin) => boolean): PhaseSteps => ({
    steps: all.filter(({ plugin }) => isConcerned(plugin)).map(({ step }) => step),
    idle: all.filter(({ plugin }) => !isConcerned(plugin)).map(({ step }) => step),
  });
  const named = new Set(all.flatMap(({ plugin }) => plugin.resources ?? []));
  const byResource = new Map(
    [...named].map((name) => [name, stepsIf(({ resources }) => resources?.includes(name) ?? true)]),
  );
  const ofOthers = stepsIf(({ resources }) => resources === undefined);
  const ofTraced = stepsIf(() => true);
  return ({ trace, resource }) => (trace?.everyPlugin ? ofTraced : (byResource.get(resource.resource) ?? ofOthers));
}

function measuredWork(name: string, operation: Operation, work: Work, seriesOf: SeriesOf): MeasuredWork {
  let series: Histogram | undefined;
  return {
    name,
    work,
    passed: (seconds) => (series ??= seriesOf(operation, 'false')).observe(seconds),
    refused: (seconds) => seriesOf(operation, 'true').observe(seconds),
  };
}

/** A phase that runs: when it began, and when its work in this turn of the event loop began. */
interface RunningPhase extends Pick<MeasuredPhase, 'whole'>, Pick<PhaseSteps, 'steps'> {
  readonly attributes: AdmissionAttributes;
  readonly phaseMs: number;
  readonly turnMs: number;
}

/** Runs the steps from `first` on. A step ends where the next one begins. */
function runFrom(first: number, phase: RunningPhase): Promise<void> | void {
  const { steps, whole, attributes, phaseMs, turnMs } = phase;
  let startMs = turnMs;
  for (let index = first; index < steps.length; index++) {
    const step = steps[index] as MeasuredWork;
    let pending: Promise<void> | void;
    try {
      pending = step.work(attributes);
    } catch (error) {
      recordRefusal(phase, step, startMs, error);
      throw error;
    }
    if (pending) return waitFor(pending, index, startMs, phase);
    const nowMs = performance.now();
    step.passed((nowMs - startMs) / 1_000);
    attributes.trace?.add(`plugin.${step.name}`, nowMs - startMs, 'passed');
    startMs = nowMs;
    const rest = yieldIfLong(turnMs);
    if (rest) return rest.then(() => continueAfter(index, phase));
  }
  whole.passed((startMs - phaseMs) / 1_000);
}

async function waitFor(pending: Promise<void>, index: number, startMs: number, phase: RunningPhase): Promise<void> {
  const step = phase.steps[index] as MeasuredWork;
  try {
    await pending;
  } catch (error) {
    recordRefusal(phase, step, startMs, error);
    throw error;
  }
  const durationMs = performance.now() - startMs;
  step.passed(durationMs / 1_000);
  phase.attributes.trace?.add(`plugin.${step.name}`, durationMs, 'passed');
  return continueAfter(index, phase);
}

function continueAfter(index: number, { steps, whole, attributes, phaseMs }: RunningPhase): Promise<void> | void {
  return runFrom(index + 1, { steps, whole, attributes, phaseMs, turnMs: performance.now() });
}

function recordRefusal(
  { whole, phaseMs, attributes }: RunningPhase,
  step: MeasuredWork,
  startMs: number,
  error: unknown,
): void {
  const nowMs = performance.now();
  step.refused((nowMs - startMs) / 1_000);
  const why = error instanceof Error ? error.message : 'failed';
  attributes.trace?.add(`plugin.${step.name}`, nowMs - startMs, `refused: ${why}`);
  whole.refused((nowMs - phaseMs) / 1_000);
}
