import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

/** A rule of Prometheus: a recording rule or an alert. */
export interface PrometheusRule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A group of rules. */
export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly PrometheusRule[];
}

/** The groups of all files below `rules/` of a folder. */
export async function ruleGroups(folder: string): Promise<RuleGroup[]> {
  const names = await readdir(path.join(folder, 'rules'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, 'rules', name), 'utf8')));
  return texts.flatMap((text) => (parse(text) as { readonly groups: readonly RuleGroup[] }).groups);
}
