import { inSection } from '../../flags/flag-table.ts';
import { boolean, checked, choice, duration, integer, list, text } from '../../flags/flag-types.ts';
import { identifierSets } from '../../identifiers/identifiers.ts';
import { apiReleases, defaultRelease } from '../../scheme/api-release.ts';
import { componentVerbosity } from '../../flags/component-verbosity.ts';
import { highestVerbosity, logFormats, logLevels } from '../../log/program-log-options.ts';
import { logComponents } from './log-components.ts';
import { release } from './release-flags.ts';

const processes = checked(text('number'), (value) =>
  value === 'auto' || /^[1-9]\d{0,2}$/.test(value) ? undefined : 'use a number from 1 to 999, or auto',
);

/** The flags of the served API, of processes, logs and traces. */
export const generalFlags = inSection('General', {
  identifiers: {
    flag: 'identifiers',
    type: choice('set', identifierSets),
    default: 'cluster',
    help: `names of API groups, well-known labels and system objects: ${identifierSets.join(' or ')}`,
  },
  /**
   * The Kubernetes release whose API is served: versions, deprecation warnings and `/version`.
   */
  emulatedRelease: {
    flag: 'emulated-release',
    aliases: ['emulated-version'],
    type: release,
    default: defaultRelease,
    help: `Kubernetes release whose API is served, ${apiReleases[0]} to ${apiReleases.at(-1)}, or newest`,
  },
  /** Also serves the API versions of releases after `emulatedRelease`. */
  emulationForwardCompatible: {
    flag: 'emulation-forward-compatible',
    type: boolean,
    default: false,
    help: 'serve the API versions of later releases than the emulated one too',
  },
  /** Serves a version of a later release if `runtimeConfig` names it. */
  runtimeConfigForwardCompatible: {
    flag: 'runtime-config-emulation-forward-compatible',
    type: boolean,
    default: false,
    help: 'serve the API versions of later releases that --runtime-config enables by their group and version',
  },
  /**
   * The oldest compatible release, in `/version`; absent: the release before the emulated one.
   */
  minCompatibilityVersion: {
    flag: 'min-compatibility-version',
    type: release,
    help: 'oldest release of the other servers of this control plane, shown in /version; by default the one before',
  },
  /**
   * API versions and resources to enable or disable: `<key>[=true|false]`, as in
   * `--runtime-config`.
   */
  runtimeConfig: {
    flag: 'runtime-config',
    type: list('settings'),
    default: [],
    help:
      'API versions to enable or disable, as <key>[=true|false]; a key is api/all, api/ga, api/beta, api/alpha, ' +
      '<group>/<version> or <group>/<version>/<resource>',
  },
  /** Settings of feature gates: `<gate>=true|false`, as in `--feature-gates`. */
  featureGates: {
    flag: 'feature-gates',
    type: list('settings'),
    default: [],
    help: 'features to turn on or off, as <gate>=true|false; AllAlpha and AllBeta stand for all of a stage',
  },
  workers: {
    type: processes,
    default: '1',
    help:
      'number of processes that serve the port, or auto for one for each processor; each has its part of the limits ' +
      'and its own audit log (audit-2.log, ...); SIGHUP replaces them one after the other',
  },
  logLevel: {
    flag: 'log-level',
    embedded: 'silent',
    type: choice('level', logLevels),
    default: 'info',
    help: 'least severe level that is logged: silent, error, warn, info or debug',
  },
  /** The form of the lines of the log. */
  loggingFormat: {
    flag: 'logging-format',
    type: choice('format', logFormats),
    default: 'json',
    help: 'form of the log: json, with the fields of the JSON log of Kubernetes, or text, with its lines',
  },
  /** The verbosity of the log. 3 logs each request. 4 logs details, as `logLevel` debug does. */
  logVerbosity: {
    flag: 'v',
    type: integer('level', 0, highestVerbosity),
    default: 0,
    help: 'verbosity of the log: 0 to 2 what an administrator should know, 3 a line for each request too, 4 and more details too',
  },
  /** The verbosity of single components. */
  logVerbosityByComponent: {
    flag: 'vmodule',
    type: componentVerbosity(logComponents),
    default: {},
    help: `verbosity by component, as requests=3,storage=4; the components are ${logComponents.join(', ')}`,
  },
  /** A TracingConfiguration, which names the collector. Needs the gate APIServerTracing. */
  tracingConfigFile: {
    flag: 'tracing-config-file',
    type: text('file'),
    help: 'TracingConfiguration: the collector of traces and the share of requests that are traced (feature gate APIServerTracing)',
  },
  /** How long a start may take until `/livez` fails. */
  livezGraceMs: {
    flag: 'livez-grace-period',
    type: duration(),
    default: 0,
    help: 'time that the start may take until /livez fails because it is not finished',
  },
  /** The previous minor release, such as `1.22`, shows the metrics that this release hides. */
  showHiddenMetricsForVersion: {
    flag: 'show-hidden-metrics-for-version',
    type: text('version'),
    help: 'the release before the emulated one: shows the metrics that the emulated release hides',
  },
  /** How long `/readyz` fails before a stopping server closes its listener. */
  shutdownDelayMs: {
    flag: 'shutdown-delay-duration',
    type: duration(),
    default: 0,
    help: 'time after a stop signal during which /readyz fails and the server still accepts connections',
  },
});
