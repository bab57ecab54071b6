import { highestVerbosity } from '../log/program-log-options.ts';
import { FlagValueError, type FlagType } from './flag-types.ts';

/** Makes the type of `--vmodule` of a program with these components: `requests=3,storage=4`. */
export function componentVerbosity<const Component extends string>(
  components: readonly Component[],
): FlagType<Readonly<Partial<Record<Component, number>>>> {
  const pairOf = (pair: string): [Component, number] => {
    const [, name, digits] = /^\s*([a-z-]+)=(\d+)\s*$/.exec(pair) ?? [];
    const component = components.find((known) => known === name);
    const level = Number(digits);
    if (component !== undefined && level <= highestVerbosity) return [component, level];
    const range = `<component>=<0 to ${highestVerbosity}>`;
    throw new FlagValueError(`use ${range}, with the components ${components.join(', ')}`);
  };
  return {
    placeholder: 'levels',
    parse(given) {
      const pairs = given.split(',').filter((one) => one.trim() !== '');
      // Each name is a component.
      return Object.fromEntries(pairs.map(pairOf)) as Partial<Record<Component, number>>;
    },
    format: (verbosity) =>
      Object.entries(verbosity)
        .map(([component, level]) => `${component}=${String(level)}`)
        .join(','),
  };
}
