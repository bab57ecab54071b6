import { applyMergePatch } from '../../../../patch/merge-patch.ts';
import { applyJsonPatch } from '../../../../patch/json-patch.ts';
import type { JsonValue } from '../../../../meta/json-value.ts';
import { CliError } from '../../../cli-error.ts';
import type { Generated } from './generate-object.ts';

/** Changes a generated object by the flags `--overrides` and `--override-type`. */
export async function withOverrides(
  object: Generated,
  {
    overrides,
    overrideType,
  }: { readonly overrides: string | undefined; readonly overrideType: 'json' | 'merge' | 'strategic' },
): Promise<Generated> {
  if (overrides === undefined) return object;
  const { decodeYaml } = await import('../../../../codec/decode-yaml.ts');
  let patch: JsonValue;
  try {
    patch = decodeYaml(Buffer.from(overrides)).value;
  } catch (cause) {
    throw new CliError(`--overrides is neither JSON nor YAML: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
  if (overrideType === 'strategic') {
    throw new CliError('--override-type=strategic is not supported', {
      hint: 'how lists are merged is known to the server; use merge or json',
    });
  }
  const changed = overrideType === 'json' ? applyJsonPatch(object, patch) : applyMergePatch(object, patch);
  // A patch of an object is refused if the result is none.
  return changed as Generated;
}
