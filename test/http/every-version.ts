import { everyVersion as surface } from '../../src/catalogue/served-definitions.ts';
import type { TestServerOptions } from '../../src/testing/index.ts';

/** Options of a server that serves every version and every field that it knows, whatever release has it. */
export const everyVersion = {
  emulatedRelease: surface.release,
  emulationForwardCompatible: surface.forwardCompatible,
  featureGates: ['AllAlpha=true', 'AllBeta=true'],
} satisfies TestServerOptions;
