import type { EditedFormat } from '../../../editing/edit-objects.ts';
import { CliError } from '../../../cli-error.ts';
import { readOutput } from '../../../printers/print-object.ts';

const formats: readonly EditedFormat[] = ['json', 'kyaml', 'yaml'];

/** The format of the editor by `-o`. Throws `CliError` for one that is not a text of objects. */
export function editedFormat(options: Parameters<typeof readOutput>[0]): EditedFormat {
  const { format } = readOutput(options);
  const found = formats.find((each) => each === (format || 'yaml'));
  if (found) return found;
  const allowed = formats.join(',');
  throw new CliError(
    `unable to match a printer suitable for the output format "${format}", allowed formats are: ${allowed}`,
  );
}
