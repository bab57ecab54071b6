import { readFile } from 'node:fs/promises';
import type { AllowedLabels } from '../metrics/allowed-labels.ts';
import { parseConfigurationObject } from './configuration-file.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * The allowed values of metric labels: the values in the file, which the option overrides by family
 * and label. Rejects if the file cannot be read.
 */
export async function allowedLabelsOf({
  allowMetricLabels,
  allowMetricLabelsManifest: file,
}: Pick<ServerOptions, 'allowMetricLabels' | 'allowMetricLabelsManifest'>): Promise<AllowedLabels> {
  if (file === undefined) return allowMetricLabels;
  try {
    const content = parseConfigurationObject(await readFile(file, 'utf8'));
    const read = Object.entries(content).map(([name, values]) => {
      if (typeof values !== 'string') throw new Error(`${name}: use a text like <value>,<value>`);
      return [name, values.split(',')] as const;
    });
    return { ...Object.fromEntries(read), ...allowMetricLabels };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`--allow-metric-labels-manifest=${file}: ${why}`, { cause: error });
  }
}
