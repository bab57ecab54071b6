import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { identifiersOf } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { parseAdmissionConfiguration, type PluginEntry } from './admission-configuration.ts';
import { parseConfigurationObject } from './configuration-file.ts';
import type { ServerOptions } from './server-options.ts';

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
