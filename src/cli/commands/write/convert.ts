import type { Invocation } from '../../command.ts';
import type { convertFlags } from './flags.ts';
import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { ConversionError, createConverter } from '../../../registry/versions/convert-object.ts';
import { builtInDefinitions } from '../../../catalogue/definitions.ts';
import { FieldDecodeError } from '../../../scheme/model/field-decode-error.ts';
import { CliError, errorLine } from '../../cli-error.ts';
import { printJson } from '../../printers/json.ts';
import { printYaml } from '../../printers/yaml.ts';
import { type Manifest, readManifests } from '../../manifests/read-manifests.ts';

/**
 * `cl convert -f`: prints the objects of files in another version, in order, without a server.
 * Objects that cannot be converted are reported and left out; the command then fails.
 */
export async function convert({ options, io }: Invocation<typeof convertFlags>): Promise<void> {
  const manifests = await readManifests(options.filename, io);
  const identifiers = identifiersOf(options.identifiers);
  const convertObject = createConverter(identifiers, builtInDefinitions(identifiers));
  const objects: JsonObject[] = [];
  for (const { object, where } of manifests) {
    try {
      objects.push(convertObject(object, options.outputVersion));
    } catch (error) {
      io.stderr.write(`${errorLine(problemOf(error, where, options))}\n`);
    }
  }
  io.stdout.write(render(objects, options.output));
  const failures = manifests.length - objects.length;
  if (failures > 0) throw new CliError(`${failures} of ${manifests.length} objects were not converted`);
}

/** An error with the location of the object; other errors are thrown. */
function problemOf(
  error: unknown,
  where: Manifest['where'],
  { identifiers }: Invocation<typeof convertFlags>['options'],
): CliError {
  if (!(error instanceof ConversionError || error instanceof FieldDecodeError)) throw error;
  const other = identifierSets.find(
    (set) => set !== identifiers && error.message.includes(`.${identifiersOf(set).apiDomain}/`),
  );
  const hint = other ? `these are the names of --identifiers=${other}` : '';
  return new CliError(`${where}: ${error.message}`, { hint, cause: error });
}

/** YAML documents; in JSON one document, with several objects in a List. */
function render(objects: readonly JsonObject[], output: Invocation<typeof convertFlags>['options']['output']): string {
  const [first, ...others] = objects;
  if (!first) return '';
  if (output === 'yaml') return objects.map((object) => printYaml(object, others.length > 0)).join('');
  if (others.length === 0) return printJson(first);
  return printJson({ kind: 'List', apiVersion: 'v1', metadata: {}, items: [...objects] });
}
