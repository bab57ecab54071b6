import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { identifiersOf } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { parseAdmissionConfiguration, type PluginEntry } from './admission-configuration.ts';
import { parseConfigurationObject } from './configuration-file.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Adds the configurations of `admissionControlConfigFile` to the options, if it is set. Rejects if
 * it is invalid, or if a file that it names cannot be read.
 */
export async function resolveAdmission(options: ServerOptions): Promise<ServerOptions> {
  const { admissionControlConfigFile: file, admissionConfigurations: given, identifiers } = options;
  if (file === undefined) return options;
  try {
    const entries = parseAdmissionConfiguration(await readFile(file, 'utf8'), identifiersOf(identifiers).apiDomain);
    const read = await Promise.all(entries.map((entry) => readEntry(entry, dirname(file))));
    return { ...options, admissionConfigurations: { ...given, ...Object.fromEntries(read) } };
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
