import { CliError } from '../cli-error.ts';

/** Reads texts such as `cpu=1`; throws `CliError` for one without a key or a `=`. */
export function readPairs(texts: readonly string[]): [key: string, value: string][] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new CliError(`"${text}" is not of the form KEY=VALUE`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}
