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
