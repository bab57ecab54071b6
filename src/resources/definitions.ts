import type { ResourceDefinition } from '../registry/strategy.ts';
import { definition as certificateSigningRequests } from './certificates/certificatesigningrequests/strategy.ts';
import { definition as configMaps } from './core/configmaps/strategy.ts';
import { definition as namespaces } from './core/namespaces/strategy.ts';
import { definition as secrets } from './core/secrets/strategy.ts';
import { definition as ingressClasses } from './networking/ingressclasses/strategy.ts';
import { definition as ingresses } from './networking/ingresses/strategy.ts';

/** What is special about each resource; one that is not listed has nothing special. */
export const resourceDefinitions: readonly ResourceDefinition[] = [
  certificateSigningRequests,
  configMaps,
  ingressClasses,
  ingresses,
  namespaces,
  secrets,
];
