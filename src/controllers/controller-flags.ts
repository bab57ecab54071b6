import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { list, text } from '../flags/flag-types.ts';

const section = 'Controllers';

/** The flags of controllers, named as in kube-controller-manager. */
export const controllerFlags = {
  controllers: {
    type: list('names'),
    default: Object.freeze(['*']),
    section,
    help: "controllers to run; '*' runs those that are on by default, 'name' runs one, '-name' does not run it",
  },
  'root-ca-file': {
    type: text('file'),
    default: undefined,
    section,
    help: 'PEM of the CA that is published in every namespace; default: the CA of the client config',
  },
} as const satisfies FlagTable;

/** The values of the flags of controllers. */
export type ControllerOptions = FlagValues<typeof controllerFlags>;

/** The options of controllers without flags. */
export const defaultControllerOptions: ControllerOptions = Object.freeze(
  // Each default has the type of its flag's values.
  Object.fromEntries(Object.entries(controllerFlags).map(([name, flag]) => [name, flag.default])) as ControllerOptions,
);
