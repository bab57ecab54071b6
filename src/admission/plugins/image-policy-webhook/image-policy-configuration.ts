import { isTrue, numberAt, stringAt } from '../../../meta/read-field.ts';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { configuredObject, refuseErrors } from '../../check-configuration.ts';

/** The configuration of the plugin (spec 2.6). */
interface ImagePolicyConfiguration {
  /** The client config file of the backend. */
  readonly clientConfigFile: string;
  /** How long an approval is remembered; 0: not at all. */
  readonly allowTtlMs: number;
  /** How long a denial is remembered; 0: not at all. */
  readonly denyTtlMs: number;
  /** The pause before the second try of a call. */
  readonly retryMs: number;
  /** True if Pods are allowed while the backend fails. */
  readonly defaultAllow: boolean;
}

/** A duration of the configuration. */
interface DurationRule {
  readonly unitMs: number;
  readonly defaultMs: number;
  readonly longestMs: number;
}

const minuteMs = 60_000;

/** As in kube-apiserver: -1 turns a duration off, and 0 stands for the default. */
const durations = {
  allowTTL: { unitMs: 1000, defaultMs: 5 * minuteMs, longestMs: 30 * minuteMs },
  denyTTL: { unitMs: 1000, defaultMs: 30_000, longestMs: 30 * minuteMs },
  retryBackoff: { unitMs: 1, defaultMs: 500, longestMs: 5 * minuteMs },
} as const satisfies Record<string, DurationRule>;

const field = 'imagePolicy';

/** Parses the configuration. Throws `RangeError` with all errors. */
export function parseImagePolicyConfiguration(given: JsonObject | undefined): ImagePolicyConfiguration {
  const errors: FieldError[] = [];
  const root = configuredObject(given ?? {}, '', [field], errors);
  const known = ['kubeConfigFile', 'defaultAllow', ...Object.keys(durations)];
  const settings = configuredObject(root, field, known, errors);
  errors.push(...typeErrors(settings));
  const clientConfigFile = stringAt(settings, 'kubeConfigFile');
  if (clientConfigFile === '') errors.push(required(`${field}.kubeConfigFile`));
  const configuration = {
    clientConfigFile,
    allowTtlMs: durationIn(settings, 'allowTTL', errors),
    denyTtlMs: durationIn(settings, 'denyTTL', errors),
    retryMs: durationIn(settings, 'retryBackoff', errors),
    defaultAllow: isTrue(settings, 'defaultAllow'),
  };
  refuseErrors(errors);
  return configuration;
}

const types: Readonly<Record<string, 'string' | 'boolean' | 'integer'>> = {
  kubeConfigFile: 'string',
  defaultAllow: 'boolean',
  allowTTL: 'integer',
  denyTTL: 'integer',
  retryBackoff: 'integer',
};

/** The errors of values of another type. Null counts as absent. */
function typeErrors(settings: JsonObject): readonly FieldError[] {
  return Object.entries(types).flatMap(([name, type]) => {
    const value = getOwn(settings, name) ?? null;
    const isRight = type === 'integer' ? Number.isInteger(value) : typeof value === type;
    return value === null || isRight ? [] : [invalid(`${field}.${name}`, value, `must be of type ${type}`)];
  });
}

function durationIn(settings: JsonObject, name: keyof typeof durations, errors: FieldError[]): number {
  const { unitMs, defaultMs, longestMs } = durations[name];
  const given = numberAt(settings, name) ?? 0;
  if (given === -1) return 0;
  if (given === 0) return defaultMs;
  const ms = given * unitMs;
  if (ms >= unitMs && ms <= longestMs) return ms;
  errors.push(invalid(`${field}.${name}`, given, `must be -1, 0, or between 1 and ${longestMs / unitMs}`));
  return 0;
}
