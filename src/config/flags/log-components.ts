import { FlagValueError, type FlagType } from '../../flags/flag-types.ts';

/** The components that log: each has a verbosity of its own, and its name is in each line. */
export const logComponents = [
  'access',
  'admission',
  'aggregation',
  'audit',
  'background',
  'certificates',
  'definitions',
  'requests',
  'start',
  'storage',
  'tracing',
] as const;

/** A component that logs. */
export type LogComponent = (typeof logComponents)[number];

/** The verbosity by component. */
type ComponentVerbosity = Readonly<Partial<Record<LogComponent, number>>>;

/** The highest verbosity. */
export const highestVerbosity = 10;

/** The type of `--vmodule`: `requests=3,storage=4`. */
export const componentVerbosity: FlagType<ComponentVerbosity> = {
  placeholder: 'levels',
  parse(given) {
    const pairs = given.split(',').filter((one) => one.trim() !== '');
    return Object.fromEntries(pairs.map(pairOf));
  },
  format: (verbosity) =>
    Object.entries(verbosity)
      .map(([component, level]) => `${component}=${level}`)
      .join(','),
};

function pairOf(pair: string): [LogComponent, number] {
  const [, name, digits] = /^\s*([a-z]+)=(\d+)\s*$/.exec(pair) ?? [];
  const component = logComponents.find((known) => known === name);
  const level = Number(digits);
  if (component && level <= highestVerbosity) return [component, level];
  throw new FlagValueError(
    `use <component>=<0 to ${highestVerbosity}>, with the components ${logComponents.join(', ')}`,
  );
}
