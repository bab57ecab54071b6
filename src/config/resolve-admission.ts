import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { type JsonObject, getOwn, isJsonObject } from '../meta/json-value.ts';
import { parseConfigurationObject, parseConfiguration, unknownFields } from './configuration-file.ts';
import type { ServerOptions } from './server-options.ts';
import { pluginNames } from '../admission/chain/create-chain.ts';
import { isSet, stringAt } from '../meta/read-field.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../status/field-error.ts';

/** The content of an AdmissionConfiguration. */
interface AdmissionConfiguration {
  readonly entries: readonly PluginEntry[];
  /** Notes about a deprecated version. */
  readonly warnings: readonly string[];
}

/** A plugin's entry in an AdmissionConfiguration. */
interface PluginEntry {
  readonly name: string;
  /** The file of the configuration, relative to the folder of the entry's file; '' for none. */
  readonly path: string;
  /** The embedded configuration. */
  readonly configuration: JsonObject | undefined;
}

const fieldsOf = {
  configuration: ['apiVersion', 'kind', 'plugins'],
  plugin: ['name', 'path', 'configuration'],
};

/**
 * Parses an AdmissionConfiguration (spec 4.10), in YAML or JSON; entries without configuration are
 * left out. Throws an Error with all mistakes. `apiDomain` is the domain of its group.
 */
function parseAdmissionConfiguration(text: string, apiDomain: string): AdmissionConfiguration {
  const [current, deprecated] = [`apiserver.config.${apiDomain}/v1`, `apiserver.${apiDomain}/v1alpha1`] as const;
  const content = parseConfiguration(text, {
    kind: 'AdmissionConfiguration',
    apiVersions: [current, deprecated],
  });
  const list = getOwn(content, 'plugins') ?? [];
  const plugins = Array.isArray(list) ? list.map((value) => (isJsonObject(value) ? value : {})) : [];
  const errors = [
    ...unknownFields('', content, fieldsOf.configuration),
    ...(Array.isArray(list) ? [] : [invalid('plugins', list, 'must be a list')]),
    ...plugins.flatMap((plugin, index) => pluginErrors(plugin, index, plugins)),
  ];
  if (errors.length > 0) throw new Error(errors.map(({ field, message }) => `${field}: ${message}`).join('; '));
  const isDeprecated = stringAt(content, 'apiVersion') === deprecated;
  return {
    entries: plugins.map(entryOf).filter(({ path, configuration }) => path !== '' || configuration),
    warnings: isDeprecated ? [`${deprecated} is deprecated since 1.17; use ${current}`] : [],
  };
}

function pluginErrors(plugin: JsonObject, index: number, all: readonly JsonObject[]): FieldError[] {
  const at = `plugins[${index}]`;
  const configuration = getOwn(plugin, 'configuration') ?? {};
  return [
    ...unknownFields(at, plugin, fieldsOf.plugin),
    ...nameErrors(`${at}.name`, stringAt(plugin, 'name'), all.slice(0, index)),
    ...(isJsonObject(configuration) ? [] : [invalid(`${at}.configuration`, configuration, 'must be an object')]),
  ];
}

function nameErrors(at: string, name: string, earlier: readonly JsonObject[]): FieldError[] {
  if (name === '') return [required(at)];
  if (!pluginNames.includes(name)) return [notSupported(at, name, pluginNames)];
  return earlier.some((other) => stringAt(other, 'name') === name) ? [duplicate(at, name)] : [];
}

function entryOf(plugin: JsonObject): PluginEntry {
  const configuration = getOwn(plugin, 'configuration');
  return {
    name: stringAt(plugin, 'name'),
    path: stringAt(plugin, 'path'),
    configuration: isSet(plugin, 'configuration') && isJsonObject(configuration) ? configuration : undefined,
  };
}

/** The options with all configurations, and notes for the log, which is not open yet. */
interface ResolvedAdmission {
  readonly options: ServerOptions;
  readonly warnings: readonly string[];
}

/**
 * Adds the configurations of `admissionControlConfigFile` to the options, if it is set. Rejects if
 * it is invalid, or if a file that it names cannot be read.
 */
export async function resolveAdmission(options: ServerOptions): Promise<ResolvedAdmission> {
  const { admissionControlConfigFile: file, admissionConfigurations: given, identifiers } = options;
  if (file === undefined) return { options, warnings: [] };
  try {
    const { apiDomain } = identifiersOf(identifiers);
    const { entries, warnings } = parseAdmissionConfiguration(await readFile(file, 'utf8'), apiDomain);
    const read = await Promise.all(entries.map((entry) => readEntry(entry, dirname(file))));
    const admissionConfigurations = { ...given, ...Object.fromEntries(read) };
    return {
      options: { ...options, admissionConfigurations },
      warnings: warnings.map((warning) => `--admission-control-config-file ${file}: ${warning}`),
    };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`--admission-control-config-file ${file}: ${problem}`, { cause });
  }
}

/** An embedded configuration comes before a file, as in kube-apiserver. */
async function readEntry(entry: PluginEntry, folder: string): Promise<readonly [string, JsonObject]> {
  const { name, path, configuration } = entry;
  if (configuration) return [name, configuration];
  try {
    return [name, parseConfigurationObject(await readFile(resolve(folder, path), 'utf8'))];
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the configuration of ${name}: ${problem}`, { cause });
  }
}
