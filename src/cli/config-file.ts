import { readFile } from 'node:fs/promises';
import { decodeYaml } from '../codec/decode-yaml.ts';
import { isJsonObject, type JsonValue } from '../meta/json-value.ts';
import { CliError } from './cli-error.ts';

const limitBytes = 1024 * 1024;

/**
 * Reads a YAML or JSON file with values of flags by their names, a list for one that is repeated.
 * Returns them as arguments, without those that are `given`, which win. Throws CliError.
 */
export async function readConfigFile(path: string, given: (name: string) => boolean): Promise<string[]> {
  const entries = Object.entries(await readObject(path)).filter(([name]) => !given(name));
  return entries.flatMap(([name, value]) => argumentsOf(path, name, value));
}

async function readObject(path: string): Promise<Readonly<Record<string, JsonValue>>> {
  try {
    const { value } = decodeYaml(await readFile(path), limitBytes);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new CliError(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  throw new CliError(`${path}: flags by their names are expected`, { hint: 'for example: emulated-release: "1.23"' });
}

function argumentsOf(path: string, name: string, value: JsonValue): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.map((each) => {
    if (each === null || typeof each === 'object')
      throw new CliError(`${path}: ${name} must be a text, a number or a list`);
    return `--${name}=${each}`;
  });
}
