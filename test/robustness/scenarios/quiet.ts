import { pause, type Scenario } from '../scenario.ts';

/** No fault at all: traffic alone, on one server. */
export const quiet: Scenario = {
  name: 'when nothing fails',
  given: {},
  rate: 250,
  fault: ({ scale }) => pause(20_000 * scale),
};
