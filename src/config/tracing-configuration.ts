import { readFile } from 'node:fs/promises';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../meta/json-value.ts';
import { isSince } from '../scheme/api-release.ts';
import { type FieldError, invalid } from '../status/field-error.ts';
import { endpointError, samplesInAll } from '../tracing/exporter-url.ts';
import type { TracingOptions } from '../tracing/open-tracing.ts';
import { parseConfiguration } from './configuration-file.ts';
import { featuresOf } from './feature-gates.ts';
import type { ServerOptions } from './server-options.ts';

/** The content of a TracingConfiguration. */
type TracingConfiguration = Pick<TracingOptions, 'endpoint' | 'samplingRatePerMillion'>;

const gate = 'APIServerTracing';

/** The versions of the file, each with the first release that reads it. */
const versions = [
  ['v1alpha1', '1.22'],
  ['v1beta1', '1.27'],
  ['v1', '1.34'],
] as const;

/**
 * Reads the file of `--tracing-config-file`; undefined without one. Rejects if the file is invalid
 * or the feature gate is off, with the messages of kube-apiserver.
 */
export async function readTracingConfiguration(options: ServerOptions): Promise<TracingConfiguration | undefined> {
  const { tracingConfigFile: file, emulatedRelease: release } = options;
  if (file === undefined) return undefined;
  if (!featuresOf(options).isEnabled(gate)) {
    throw new Error(`${gate} feature is not enabled, but tracing config file was provided`);
  }
  const { apiDomain } = identifiersOf(options.identifiers);
  const known = versions.filter(([, since]) => isSince(release, since)).map(([version]) => version);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw failure(`unable to read tracing configuration from ${JSON.stringify(file)}`, cause);
  });
  let content: JsonObject;
  try {
    const apiVersions = known.map((version) => `apiserver.config.${apiDomain}/${version}`);
    content = parseConfiguration(text, { kind: 'TracingConfiguration', apiVersions });
    refuseUnknown(content);
  } catch (cause) {
    throw failure('unable to decode tracing configuration data', cause);
  }
  const errors = tracingErrors(content);
  if (errors.length > 0) {
    const texts = errors.map(({ field, message }) => `${field}: ${message}`);
    const shown = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`;
    throw new Error(`failed to validate tracing configuration: ${shown}`);
  }
  return configurationOf(content);
}

function failure(what: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(`failed to read tracing config: ${what}: ${why}`, { cause });
}

const fields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'endpoint', 'samplingRatePerMillion']);

function refuseUnknown(content: JsonObject): void {
  const unknown = Object.keys(content).filter((name) => !fields.has(name));
  if (unknown.length > 0) {
    const texts = unknown.map((name) => `unknown field ${JSON.stringify(name)}`);
    throw new Error(`strict decoding error: ${texts.join(', ')}`);
  }
  const { endpoint, samplingRatePerMillion: rate } = content;
  if (endpoint !== undefined && endpoint !== null && typeof endpoint !== 'string') {
    throw new Error('endpoint: a text was expected');
  }
  if (rate !== undefined && rate !== null && !Number.isInteger(rate)) {
    throw new Error('samplingRatePerMillion: a whole number was expected');
  }
}

function tracingErrors(content: JsonObject): FieldError[] {
  const { endpoint, samplingRatePerMillion: rate } = configurationOf(content);
  const wrongEndpoint = endpoint === undefined ? undefined : endpointError(endpoint);
  return [
    ...(rate !== undefined && rate < 0
      ? [invalid('samplingRatePerMillion', rate, 'sampling rate must be positive')]
      : []),
    ...(rate !== undefined && rate > samplesInAll
      ? [invalid('samplingRatePerMillion', rate, 'sampling rate per million must be less than or equal to one million')]
      : []),
    ...(wrongEndpoint === undefined ? [] : [invalid('endpoint', endpoint, wrongEndpoint)]),
  ];
}

function configurationOf(content: JsonObject): TracingConfiguration {
  const endpoint = getOwn(content, 'endpoint');
  const rate = getOwn(content, 'samplingRatePerMillion');
  return {
    ...(typeof endpoint === 'string' ? { endpoint } : {}),
    ...(typeof rate === 'number' ? { samplingRatePerMillion: rate } : {}),
  };
}
