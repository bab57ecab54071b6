import { type FlagType, FlagValueError } from '../../flags/flag-types.ts';
import type { AllowedLabels } from '../../metrics/allowed-labels.ts';

const entry = /^([a-zA-Z_:][a-zA-Z0-9_:]*,[a-zA-Z_][a-zA-Z0-9_]*)='([^']*)'(?:,\s*|$)/;

/** Values of labels by `<family>,<label>`, as in `a,b='x,y',a,c='z'`. */
export const labelValues: FlagType<AllowedLabels> = {
  placeholder: 'labels',
  parse: (given) => {
    const found: Record<string, readonly string[]> = {};
    for (let rest = given.trim(); rest !== ''; ) {
      const [whole, name = '', values = ''] = entry.exec(rest) ?? [];
      if (whole === undefined) throw new FlagValueError("use <family>,<label>='<value>,<value>'");
      found[name] = values.split(',');
      rest = rest.slice(whole.length);
    }
    return found;
  },
  format: (allowed) =>
    Object.entries(allowed)
      .map(([name, values]) => `${name}='${values.join(',')}'`)
      .join(','),
};
